// Small drawings; each stands beside a text or in a control that has a name.
const paths = {
  locked: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  open: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 5.6-1.5',
  limits: 'M3 6h6M13 6h4M11 4v4M3 14h2M9 14h8M7 12v4',
  close: 'M5 5l10 10M15 5L5 15',
  undo: 'M8 4L4 8l4 4M4 8h8a4 4 0 0 1 0 8H8',
  back: 'M12 4l-6 6 6 6',
  next: 'M8 4l6 6-6 6',
  light: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M16 4l-1.4 1.4M5.4 14.6L4 16',
  dark: 'M16 11.5A6.5 6.5 0 1 1 8.5 4a5 5 0 0 0 7.5 7.5z',
  save: 'M10 3v9M6 8.5l4 4 4-4M4 16h12',
};
export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={paths[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#2b6c8c" />
      <path d="M7 21h6l6-10h6" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
      <circle cx="7" cy="21" r="3" fill="#2b6c8c" stroke="#fff" stroke-width="2" />
      <circle cx="25" cy="11" r="3.5" fill="#fff" />
    </svg>
  );
}
