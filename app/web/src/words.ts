// Numbers and names as people read them.
import type { Feature, Model } from './contract.ts';

export function percent(share: number): string {
  if (share > 0 && share < 0.005) return 'below 1 %';
  if (share < 1 && share > 0.995) return 'above 99 %';
  return `${Math.round(100 * share)} %`;
}

// The chance of a class that has just won must not read as 50 %.
export function chance(share: number): string {
  if (share > 0.5 && share < 0.505) return 'just over 50 %';
  if (share < 0.5 && share > 0.495) return 'just under 50 %';
  return percent(share);
}

export function number(value: number, decimals: number | null = null): string {
  if (!Number.isFinite(value)) return '–';
  const digits = decimals ?? (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 3);
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, useGrouping: Math.abs(value) >= 10000 });
}

export function count(n: number, one: string, many: string): string {
  return `${number(n, 0)} ${n === 1 ? one : many}`;
}

// "duration_months" reads better as "duration months", unless two names would become the same.
function readable(names: string[]): Map<string, string> {
  const plain = (name: string) => name.replaceAll('_', ' ').replace(/\s+/g, ' ').trim() || name;
  const seen = new Map<string, number>();
  for (const name of names) seen.set(plain(name), (seen.get(plain(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, seen.get(plain(name)) === 1 ? plain(name) : name]));
}

export class Names {
  private readonly features: Map<string, string>;
  private readonly levels: Map<string, Map<string, string>>;
  private readonly classes: Map<string, string>;
  readonly byName: Map<string, Feature>;
  readonly many: string;
  readonly one: string;

  constructor(model: Model) {
    this.features = readable(model.features.map((f) => f.name));
    this.levels = new Map(model.features.map((f) => [f.name, readable(f.levels ?? [])]));
    this.classes = readable(model.classes.map((c) => c.name));
    this.byName = new Map(model.features.map((f) => [f.name, f]));
    this.one = model.noun.one;
    this.many = model.noun.many;
  }

  feature(name: string): string {
    return this.features.get(name) ?? name;
  }

  level(feature: string, level: string): string {
    return this.levels.get(feature)?.get(level) ?? level;
  }

  class(name: string): string {
    return name === 'any' ? 'any other' : (this.classes.get(name) ?? name);
  }

  value(feature: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return 'missing';
    return typeof value === 'number' ? number(value, this.byName.get(feature)?.decimals ?? 6) : this.level(feature, String(value));
  }

  // A value with its unit.
  cell(feature: string, value: unknown): string {
    const unit = this.unit(feature);
    return unit ? `${this.value(feature, value)} ${unit}` : this.value(feature, value);
  }

  unit(feature: string): string {
    return this.byName.get(feature)?.unit ?? '';
  }

  // The unit, unless the name already ends in it ("duration months").
  unitBeside(feature: string): string {
    const unit = this.unit(feature);
    return this.feature(feature).toLowerCase().split(' ').includes(unit.toLowerCase()) ? '' : unit;
  }

  rows(n: number): string {
    return count(n, this.one.toLowerCase(), this.many);
  }
}
