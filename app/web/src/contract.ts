// What the engine says and takes, as docs/http.md describes it.

export type Cell = number | string | null;
export type Row = Record<string, Cell>;
export type Shares = Record<string, number>;

export interface Noun { one: string; many: string }

export interface ModelSummary { name: string; features: number; classes: string[]; ready: boolean }

export interface Histogram {
  edges: number[] | null; // of numbers: one more than counts; null: a count for each level
  counts: Record<string, number[]>; // by class
}

export interface Feature {
  name: string;
  type: 'continuous' | 'integer' | 'ordinal' | 'binary' | 'categorical';
  unit: string | null;
  immutable: boolean;
  direction: 'any' | 'up' | 'down';
  derived: boolean;
  range: [number | null, number | null] | null;
  step: number | null;
  decimals: number | null;
  levels: string[] | null;
  order: string[] | null;
  histogram: Histogram | null;
}

export interface Picture { width: number; height: number; channels: number; range: [number, number] }

export interface Model {
  name: string;
  kind: string;
  fingerprint: string;
  solver: string;
  noun: Noun;
  rules: string[];
  regression: { reach: string } | null;
  image: Picture | null;
  classes: { name: string; rows: number; density: string | null }[];
  defaults: Question;
  start: Row;
  features: Feature[];
}

// A question, with the command line's own names.
export interface Question {
  target?: string | number;
  probability?: number;
  plausible?: number;
  'max-changes'?: number;
  answers?: number;
  diverse?: 'features' | 'values';
  path?: boolean;
  hints?: boolean;
  'fewest-first'?: boolean;
  robust?: number;
  certify?: boolean;
  'time-limit'?: number;
  freeze?: string[];
  'only-up'?: string[];
  'only-down'?: string[];
  range?: Record<string, [number | null, number | null]>;
  rule?: string[];
}

export interface Prediction {
  class: string | null;
  probability: Shares;
  typical: Record<string, number | null>;
  output: number | null;
  reason?: string;
}

export interface Example { row: string; cells: Row; class: string | null; probability: Shares }

export interface Change {
  feature: string;
  from: Cell;
  to: Cell;
  from_text: string;
  to_text: string;
  unit: string | null;
  room: number | null;
}

export type Status = 'valid' | 'below_floor' | 'already' | 'not_found' | 'time_limit' | 'not_finite';

export interface Plan {
  rank: number;
  status: Status;
  reason: string | null;
  target: string;
  changes: Change[];
  counterfactual: Row;
  probability_before: number;
  probability: number;
  output_before: number | null;
  output: number | null;
  quantile: number | null;
  typical_text: string | null;
  distance: number;
  proven: boolean;
  certificate: string | null;
  knee: boolean;
  timed_out: boolean;
  notes: string[];
}

export interface Hint {
  kind: 'plausible' | 'changes' | 'feature' | 'upper' | 'lower' | 'rule' | 'probability' | 'robust';
  feature: string | null;
  text: string;
  distance: number;
  apply: { question: Question; row: Row };
}

export interface CurvePoint {
  max_changes: number;
  distance: number;
  quantile: number | null;
  probability: number;
  knee: boolean;
}

export interface Explained {
  row: string;
  predicted: string | null;
  target: string;
  status: Status;
  reason: string | null;
  probability: Shares;
  plans: Plan[];
  hints: Hint[];
  path: CurvePoint[] | null;
}

export interface Job {
  id: string;
  name: string;
  model: string;
  question: Question;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'interrupted';
  rows: number | null;
  done: number;
  answered: number;
  without: number;
  error: string | null;
  warnings: string[];
  created: string;
  summary: {
    status: Partial<Record<Status, number>>;
    changes: Record<string, number>;
    changed: { feature: string; rows: number }[];
    distance: number | null;
    quantile: number | null;
  } | null;
}

export interface Interval { mean: number; lo: number | null; hi: number | null }

export interface AuditGroup {
  name: string;
  rows: number;
  refused: number;
  answered: Interval | null;
  distance: Interval | null;
  changes: Interval | null;
  quantile: Interval | null;
  changed: { feature: string; share: Interval }[];
}

export interface Audit { by: string; note: string; groups: AuditGroup[] }
