// Light or dark: the system's wish, until the switch is used.
const key = 'scfe-theme';
export type Theme = 'light' | 'dark';

export function themeNow(): Theme {
  const kept = localStorage.getItem(key);
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function showTheme(): void {
  const kept = localStorage.getItem(key);
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept;
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme();
}
