// Editing a question: every function returns a new one.
import type { Feature, Question } from './contract.ts';

type Names = 'freeze' | 'only-up' | 'only-down';

function without(question: Question, key: Names, name: string): Question {
  return { ...question, [key]: (question[key] ?? []).filter((other) => other !== name) };
}

export function isLocked(question: Question, name: string): boolean {
  return question.freeze?.includes(name) ?? false;
}

export function lock(question: Question, name: string, on: boolean): Question {
  const rest = without(question, 'freeze', name);
  return on ? { ...rest, freeze: [...(rest.freeze ?? []), name] } : rest;
}

export type Way = 'any' | 'up' | 'down';

export function wayOf(question: Question, name: string): Way {
  if (question['only-up']?.includes(name)) return 'up';
  return question['only-down']?.includes(name) ? 'down' : 'any';
}

export function setWay(question: Question, name: string, way: Way): Question {
  const rest = without(without(question, 'only-up', name), 'only-down', name);
  if (way === 'any') return rest;
  const key = way === 'up' ? 'only-up' : 'only-down';
  return { ...rest, [key]: [...(rest[key] ?? []), name] };
}

export type Range = [number | null, number | null];

function rangesWithout(question: Question, name: string): Record<string, Range> {
  return Object.fromEntries(Object.entries(question.range ?? {}).filter(([other]) => other !== name));
}

// An end of the range that is the feature's own is no limit.
export function setRange(question: Question, feature: Feature, [lo, hi]: Range): Question {
  const rest = rangesWithout(question, feature.name);
  const own = feature.range ?? [null, null];
  const low = lo !== null && (own[0] === null || lo > own[0]) ? lo : null;
  const high = hi !== null && (own[1] === null || hi < own[1]) ? hi : null;
  return { ...question, range: low === null && high === null ? rest : { ...rest, [feature.name]: [low, high] } };
}

export function clearLimits(question: Question, name: string): Question {
  return { ...setWay(lock(question, name, false), name, 'any'), range: rangesWithout(question, name) };
}

export function hasLimit(question: Question, name: string): boolean {
  return wayOf(question, name) !== 'any' || question.range?.[name] !== undefined;
}

// The names that the question limits, in the order of the features.
export function limited(question: Question, features: Feature[]): string[] {
  return features.map((f) => f.name).filter((name) => isLocked(question, name) || hasLimit(question, name));
}

// The number of features that may change at all.
export function movable(features: Feature[], question: Question): number {
  return Math.max(1, features.filter((f) => !f.immutable && !isLocked(question, f.name)).length);
}

// A question for the trade-off: a plan for each number of changes, somewhat further than what is asked.
export function curveQuestion(question: Question, features: Feature[]): Question {
  const most = Math.min(movable(features, question), Math.max(question['max-changes'] ?? 3, 6));
  return { ...question, answers: 1, path: true, 'max-changes': most, hints: false };
}

// Lists and ranges that limit nothing are left out, so that a question says what it asks and no more.
export function tidy(question: Question): Question {
  return Object.fromEntries(
    Object.entries(question).filter(([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0),
  );
}
