// The trade-off between few changes and small ones: a point for each number of changes, to click along.
import { useEffect, useState } from 'preact/hooks';
import type { CurvePoint, Explained, Model, Plan, Question, Row } from '../contract.ts';
import { count, number, percent, type Names } from '../words.ts';
import { PlanCard } from './plan_card.tsx';

const width = 460, height = 240, left = 50, right = 24, top = 26, bottom = 44;

interface Props {
  answer: Explained;
  model: Model;
  names: Names;
  question: Question;
  row: Row;
  onTry: (plan: Plan) => void;
  onChanges: (n: number) => void;
}

function placeOf(points: CurvePoint[]) {
  const n = points.map((p) => p.max_changes), least = Math.min(...n), span = Math.max(1, Math.max(...n) - least);
  const most = Math.max(...points.map((p) => p.distance)) * 1.1 || 1;
  return {
    x: (p: CurvePoint) => left + ((width - left - right) * (p.max_changes - least)) / span,
    y: (d: number) => height - bottom - ((height - top - bottom) * d) / most,
    most,
  };
}

function Points({ points, plans, chosen, onChoose }: { points: CurvePoint[]; plans: Plan[]; chosen: number; onChoose: (i: number) => void }) {
  const { x, y, most } = placeOf(points);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    const next = chosen + by;
    if (by === 0 || next < 0 || next >= points.length) return;
    event.preventDefault();
    onChoose(next);
    const group = event.currentTarget as SVGElement | null;
    (group?.querySelectorAll<SVGElement>('.point')[next])?.focus();
  };
  const ticks = [0, most / 2.2, most / 1.1];
  return (
    <svg class="curve-chart" viewBox={`0 0 ${width} ${height}`} role="radiogroup" aria-label="Answers by their number of changes" onKeyDown={move}>
      {ticks.map((t) => (
        <g key={t} aria-hidden="true">
          <line class="grid" x1={left} x2={width - right} y1={y(t)} y2={y(t)} />
          <text x={left - 8} y={y(t) + 4} text-anchor="end">{number(t, 2)}</text>
        </g>
      ))}
      <text x={left - 38} y={12} aria-hidden="true">distance</text>
      <text x={(left + width - right) / 2} y={height - 6} text-anchor="middle" aria-hidden="true">number of changes</text>
      <polyline class="path" points={points.map((p) => `${x(p)},${y(p.distance)}`).join(' ')} aria-hidden="true" />
      {points.map((p, i) => {
        const below = plans[i]?.status === 'below_floor';
        return (
          <g key={p.max_changes} class={`point${i === chosen ? ' chosen' : ''}${below ? ' below' : ''}`} role="radio" aria-checked={i === chosen} tabindex={i === chosen ? 0 : -1}
            aria-label={`${count(p.max_changes, 'change', 'changes')}, distance ${number(p.distance, 2)}${p.quantile === null ? '' : `, as typical as ${percent(p.quantile)}`}${p.knee ? ', best balance' : ''}`}
            onClick={() => onChoose(i)}>
            <circle class="halo" cx={x(p)} cy={y(p.distance)} r="17" />
            <circle class="spot" cx={x(p)} cy={y(p.distance)} r={p.knee ? 8 : 6.5} />
            {p.knee && <text class="knee-text" x={x(p)} y={y(p.distance) - 16} text-anchor="middle">best balance</text>}
            <text class="value" x={x(p)} y={height - bottom + 18} text-anchor="middle">{p.max_changes}</text>
          </g>
        );
      })}
    </svg>
  );
}

export function Curve({ answer, model, names, question, row, onTry, onChanges }: Props) {
  const points = answer.path ?? [], knee = points.findIndex((p) => p.knee);
  const [chosen, setChosen] = useState(0);
  const key = points.map((p) => `${p.max_changes}:${p.distance}`).join();
  useEffect(() => setChosen(Math.max(0, knee)), [key, knee]);
  const at = Math.min(chosen, points.length - 1), plan = answer.plans[at], point = points[at];
  if (!plan || !point) return null;
  return (
    <section class="panel" aria-label="Few changes or small ones">
      <h2>Few changes, or small ones?</h2>
      {points.length === 1
        ? <p class="soft">More changes would not bring the answer any closer: {count(point.max_changes, 'change', 'changes')} will do.</p>
        : (
          <div class="curve">
            <div>
              <p class="soft small">Click a point to see its answer. Further right: more changes, each of them smaller.</p>
              <Points points={points} plans={answer.plans} chosen={at} onChoose={setChosen} />
            </div>
            <PlanCard plan={plan} title={`With ${count(point.max_changes, 'change', 'changes')}`} model={model} row={row} names={names} question={question} onTry={onTry}>
              {point.max_changes !== question['max-changes'] && (
                <button type="button" class="quiet" onClick={() => onChanges(point.max_changes)}>Allow {point.max_changes === 1 ? '1 change' : `${point.max_changes} changes`}</button>
              )}
            </PlanCard>
          </div>
        )}
    </section>
  );
}
