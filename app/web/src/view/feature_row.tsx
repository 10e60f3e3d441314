// One feature of the row: its value, a lock, and its limits.
import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { Cell, Feature, Question } from '../contract.ts';
import { hasLimit, isLocked, lock } from '../question.ts';
import type { Names } from '../words.ts';
import { Icon } from './icons.tsx';
import { LimitPanel, limitText } from './limit_panel.tsx';

export interface FeatureRowProps {
  feature: Feature;
  value: Cell;
  original: Cell;
  question: Question;
  target: string;
  names: Names;
  onValue: (name: string, value: Cell) => void;
  onQuestion: (change: (question: Question) => Question) => void;
}

function NumberControl({ feature, value, label, onValue }: { feature: Feature; value: Cell; label: string; onValue: (value: Cell) => void }) {
  const [lo, hi] = feature.range ?? [null, null];
  const step = feature.step && feature.step > 0 ? feature.step : undefined;
  const bounded = lo !== null && hi !== null && hi > lo;
  const given = typeof value === 'number';
  const low = bounded ? Math.min(lo, given ? value : lo) : 0, high = bounded ? Math.max(hi, given ? value : hi) : 1;
  const take = (text: string, typed: number) => onValue(text === '' ? null : typed);
  return (
    <div class={bounded ? 'number' : 'number alone'}>
      {bounded && (
        <input type="range" aria-label={label} min={low} max={high} step={step ?? 'any'} value={given ? value : low}
          onInput={(e) => take('x', round(e.currentTarget.valueAsNumber, feature))} />
      )}
      <input type="number" aria-label={`${label}, as a number`} step={step ?? 'any'} value={given ? value : ''} aria-invalid={!given}
        onInput={(e) => { if (e.currentTarget.value === '' || !Number.isNaN(e.currentTarget.valueAsNumber)) take(e.currentTarget.value, e.currentTarget.valueAsNumber); }} />
    </div>
  );
}

// A slider without a step gives seventeen digits; six significant ones are enough to point at a value.
function round(value: number, feature: Feature): number {
  return feature.decimals !== null ? Number(value.toFixed(feature.decimals)) : Number(value.toPrecision(6));
}

function LevelControl({ feature, value, label, names, onValue }: { feature: Feature; value: Cell; label: string; names: Names; onValue: (value: Cell) => void }) {
  const levels = feature.order ?? feature.levels ?? [];
  const known = value !== null && levels.includes(String(value));
  return (
    <select aria-label={label} value={value === null ? '' : String(value)} aria-invalid={!known} onChange={(e) => onValue(e.currentTarget.value)}>
      {!known && <option value={value === null ? '' : String(value)}>{value === null ? 'missing' : String(value)}</option>}
      {levels.map((level) => <option key={level} value={level}>{names.level(feature.name, level)}</option>)}
    </select>
  );
}

function FeatureRowPlain({ feature, value, original, question, target, names, onValue, onQuestion }: FeatureRowProps) {
  const [open, setOpen] = useState(false);
  const label = names.feature(feature.name);
  const fixed = feature.immutable || feature.derived;
  const locked = fixed || isLocked(question, feature.name);
  const lockText = feature.immutable ? `${label} can never change` : feature.derived ? `${label} follows from others` : `Answers may not change ${label}`;
  const limits = limitText(feature, question, names);
  return (
    <li class="feature" data-feature={feature.name}>
      <div class="feature-line">
        <div>
          <span class="label">{label}{names.unitBeside(feature.name) && <span class="unit"> {names.unitBeside(feature.name)}</span>}</span>
          {value !== original && <span class="was">was {names.cell(feature.name, original)}</span>}
          {limits && <span class="bound">{limits}</span>}
        </div>
        <div class="control">
          {feature.levels
            ? <LevelControl feature={feature} value={value} label={label} names={names} onValue={(v) => onValue(feature.name, v)} />
            : <NumberControl feature={feature} value={value} label={label} onValue={(v) => onValue(feature.name, v)} />}
        </div>
        <div class="tools">
          <button type="button" class="icon" aria-pressed={locked} disabled={fixed} aria-label={lockText} title={lockText}
            onClick={() => onQuestion((q) => lock(q, feature.name, !locked))}><Icon name={locked ? 'locked' : 'open'} /></button>
          <button type="button" class="icon" aria-expanded={open} aria-label={`Limits of ${label}`} title={`Limits of ${label}`}
            data-limited={hasLimit(question, feature.name)} onClick={() => setOpen(!open)}><Icon name="limits" /></button>
        </div>
      </div>
      {open && <LimitPanel feature={feature} value={value} question={question} target={target} names={names} onQuestion={onQuestion} />}
    </li>
  );
}

export const FeatureRow = memo(FeatureRowPlain);
