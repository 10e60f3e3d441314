// The limits of one feature: a range on the histogram of the target class, and the way it may go.
import type { Cell, Feature, Question } from '../contract.ts';
import { hasLimit, setRange, setWay, wayOf, type Range, type Way } from '../question.ts';
import { number, type Names } from '../words.ts';
import { Segments } from './controls.tsx';
import { LimitStrip } from './strip.tsx';

export function limitText(feature: Feature, question: Question, names: Names): string {
  const way = wayOf(question, feature.name), range = question.range?.[feature.name];
  const unit = names.unit(feature.name);
  const text = (value: number) => number(value, feature.decimals ?? 6) + (unit ? ` ${unit}` : '');
  const parts: string[] = [];
  if (way !== 'any') parts.push(way === 'up' ? 'only up' : 'only down');
  if (range) {
    const [lo, hi] = range;
    if (lo !== null && hi !== null) parts.push(`${number(lo, feature.decimals ?? 6)} to ${text(hi)}`);
    else if (lo !== null) parts.push(`at least ${text(lo)}`);
    else if (hi !== null) parts.push(`at most ${text(hi)}`);
  }
  return parts.join(', ');
}

interface Props {
  feature: Feature;
  value: Cell;
  question: Question;
  target: string;
  names: Names;
  onQuestion: (change: (question: Question) => Question) => void;
}

const ways: { value: Way; text: string }[] = [
  { value: 'any', text: 'either way' }, { value: 'up', text: 'only up' }, { value: 'down', text: 'only down' },
];

export function LimitPanel(props: Props) {
  const { feature, question, names, onQuestion } = props;
  const label = names.feature(feature.name);
  if (feature.immutable || feature.derived)
    return <p class="limit soft small">{feature.immutable ? 'The makers of this model say that it can never change.' : 'A rule computes it from other features.'}</p>;
  const ordered = !feature.levels || feature.order !== null;
  return (
    <div class="limit stack">
      {feature.levels ? <LevelShares {...props} /> : <RangeLimit {...props} />}
      {ordered && feature.direction === 'any' && (
        <Segments label={`Which way ${label} may go`} value={wayOf(question, feature.name)} choices={ways}
          onChange={(way) => onQuestion((q) => setWay(q, feature.name, way))} />
      )}
      {feature.direction !== 'any' && <p class="soft small">It can only go {feature.direction}.</p>}
      {hasLimit(question, feature.name) && (
        <button type="button" class="quiet" onClick={() => onQuestion((q) => setWay(setRange(q, feature, [null, null]), feature.name, 'any'))}>Lift these limits</button>
      )}
    </div>
  );
}

function RangeLimit({ feature, value, question, target, names, onQuestion }: Props) {
  const [least, most] = feature.range ?? [null, null];
  const label = names.feature(feature.name);
  const [lo, hi] = question.range?.[feature.name] ?? [null, null];
  const set = (range: Range) => onQuestion((q) => setRange(q, feature, range));
  if (least === null || most === null || !(most > least))
    return <p class="soft small">It has no range of its own.</p>;
  const low = lo ?? least, high = hi ?? most;
  const step = feature.step && feature.step > 0 ? feature.step : (most - least) / 200;
  const tidy = (x: number) => Number(feature.decimals !== null ? x.toFixed(feature.decimals) : x.toPrecision(6));
  const edges = feature.histogram?.edges, counts = feature.histogram?.counts[target];
  const setLow = (x: number) => set([tidy(Math.min(x, high)), hi]), setHigh = (x: number) => set([lo, tidy(Math.max(x, low))]);
  return (
    <div>
      {edges && counts && (
        <>
          <LimitStrip edges={edges} counts={counts} range={[low, high]} now={typeof value === 'number' ? value : null} />
          <p class="soft small">Grey and blue: {names.class(target)} {names.many}; orange line: the value now.</p>
        </>
      )}
      <div class="twin">
        <span class="rail" />
        <input type="range" aria-label={`${label}: at least`} min={least} max={most} step={step} value={low}
          onInput={(e) => { setLow(e.currentTarget.valueAsNumber); e.currentTarget.value = String(Math.min(e.currentTarget.valueAsNumber, high)); }} />
        <input type="range" aria-label={`${label}: at most`} min={least} max={most} step={step} value={high}
          onInput={(e) => { setHigh(e.currentTarget.valueAsNumber); e.currentTarget.value = String(Math.max(e.currentTarget.valueAsNumber, low)); }} />
      </div>
      <div class="limit-ends">
        <label>at least<input type="number" min={least} max={most} step={step} value={low} onChange={(e) => { if (!Number.isNaN(e.currentTarget.valueAsNumber)) setLow(e.currentTarget.valueAsNumber); }} /></label>
        <label>at most<input type="number" min={least} max={most} step={step} value={high} onChange={(e) => { if (!Number.isNaN(e.currentTarget.valueAsNumber)) setHigh(e.currentTarget.valueAsNumber); }} /></label>
      </div>
    </div>
  );
}

// Levels have no range; how common each is among the class's rows tells what a plan is likely to take.
function LevelShares({ feature, target, names }: Props) {
  const counts = feature.histogram?.counts[target];
  const sum = counts?.reduce((a, b) => a + b, 0) ?? 0;
  if (!counts || sum === 0) return <p class="soft small">Nothing is known of its levels.</p>;
  return (
    <table>
      <caption class="soft small">Among {names.class(target)} {names.many}</caption>
      <tbody>
        {feature.levels?.map((level, i) => (
          <tr key={level}><td>{names.level(feature.name, level)}</td><td class="n">{Math.round((100 * (counts[i] ?? 0)) / sum)} %</td></tr>
        ))}
      </tbody>
    </table>
  );
}
