// A feature among the rows of a class: a histogram of numbers, or a bar for each level.
import type { Feature } from '../contract.ts';

const width = 300, height = 34, base = 27;

function scaleOf(edges: number[]): (value: number) => number {
  const lo = edges[0] ?? 0, hi = edges[edges.length - 1] ?? 1;
  const span = hi > lo ? hi - lo : 1;
  return (value) => 6 + (width - 12) * Math.min(1, Math.max(0, (value - lo) / span));
}

interface BinsProps { edges: number[]; counts: number[]; inside: (lo: number, hi: number) => boolean }

function Bins({ edges, counts, inside }: BinsProps) {
  const x = scaleOf(edges), most = Math.max(1, ...counts);
  return (
    <g>
      {counts.map((n, i) => {
        const lo = edges[i] ?? 0, hi = edges[i + 1] ?? lo, left = x(lo), h = (22 * n) / most;
        return n === 0 ? null : <rect key={i} class={inside(lo, hi) ? 'in' : 'bin'} x={left + 0.5} y={base - h} width={Math.max(1, x(hi) - left - 1)} height={h} />;
      })}
    </g>
  );
}

// How a change of a number lies among the target class's rows: a hollow dot before, a filled dot after.
function NumberStrip({ edges, counts, from, to }: { edges: number[]; counts: number[]; from: number; to: number }) {
  const x = scaleOf(edges), a = x(from), b = x(to), way = b > a ? 1 : -1;
  return (
    <svg class="strip" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <Bins edges={edges} counts={counts} inside={() => false} />
      <line class="axis" x1="6" x2={width - 6} y1={base} y2={base} />
      <line class="move" x1={a} x2={b - way * 6} y1={base} y2={base} />
      {Math.abs(b - a) > 16 && <path class="tip" d={`M${b - way * 5} ${base}l${-way * 7} -4v8z`} />}
      <circle class="dot-from" cx={a} cy={base} r="4" />
      <circle class="dot-to" cx={b} cy={base} r="4.5" />
    </svg>
  );
}

function LevelStrip({ levels, counts, from, to }: { levels: string[]; counts: number[]; from: string; to: string }) {
  const most = Math.max(1, ...counts), step = Math.min(46, (width - 12) / levels.length);
  return (
    <svg class="strip" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {levels.map((level, i) => {
        const h = (22 * (counts[i] ?? 0)) / most, x = 6 + i * step, middle = x + step / 2 - 1;
        return (
          <g key={level}>
            <rect class={level === to ? 'picked' : 'bin'} x={x} y={base - h} width={Math.max(2, step - 3)} height={Math.max(h, 0.5)} />
            {level === from && <circle class="dot-from" cx={middle} cy={base} r="4" />}
            {level === to && <circle class="dot-to" cx={middle} cy={base} r="4.5" />}
          </g>
        );
      })}
      <line class="axis" x1="6" x2={6 + levels.length * step - 3} y1={base + 0.5} y2={base + 0.5} opacity="0.5" />
    </svg>
  );
}

export function ChangeStrip({ feature, target, from, to }: { feature: Feature; target: string; from: unknown; to: unknown }) {
  const counts = feature.histogram?.counts[target];
  if (!counts) return null;
  if (feature.levels) return <LevelStrip levels={feature.levels} counts={counts} from={String(from)} to={String(to)} />;
  const edges = feature.histogram?.edges;
  return edges ? <NumberStrip edges={edges} counts={counts} from={Number(from)} to={Number(to)} /> : null;
}

// The histogram that a limit is set on: allowed bins stand out, a line marks the present value.
export function LimitStrip({ edges, counts, range, now }: { edges: number[]; counts: number[]; range: [number, number]; now: number | null }) {
  return (
    <svg class="strip" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <Bins edges={edges} counts={counts} inside={(lo, hi) => hi > range[0] && lo < range[1]} />
      <line class="axis" x1="6" x2={width - 6} y1={base} y2={base} />
      {now !== null && <line class="now" x1={scaleOf(edges)(now)} x2={scaleOf(edges)(now)} y1="2" y2={base + 4} />}
    </svg>
  );
}

// A bar from 0 to 1 with marks.
export function Meter({ value, before, floor }: { value: number; before?: number; floor?: number }) {
  const at = (share: number) => 100 * Math.min(1, Math.max(0, share));
  return (
    <svg class="meter" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x="0" y="3" width="100" height="8" rx="1" />
      <rect class="level" x="0" y="3" width={at(value)} height="8" rx="1" />
      {before !== undefined && <rect class="mark-before" x={Math.max(0, at(before) - 0.4)} y="0" width="0.8" height="14" />}
      {floor !== undefined && <rect class="mark-floor" x={at(floor) - 0.25} y="0" width="0.5" height="14" />}
    </svg>
  );
}
