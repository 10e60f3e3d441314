// The answers of a finished job, row by row: search, filter by outcome, open one to work on it.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Cell, Job, Row, Status } from '../contract.ts';
import type { Engine } from '../engine.ts';
import { textOf } from '../hooks.ts';
import { chance, number, percent, type Names } from '../words.ts';
import { Problem } from './controls.tsx';
import { statusText } from './job_view.tsx';

// A line of the command line's own JSON output.
interface Line {
  row: string;
  status: Status;
  reason?: string;
  predicted: string;
  target: string;
  changes?: { feature: string; from: Cell; to: Cell }[];
  counterfactual?: Row;
  metrics?: { probability: number; l2: number; quantile?: number };
}

const page = 25, mostRows = 50_000;

function linesOf(text: string): Line[] {
  return text.split('\n').slice(1).filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}

function searchText(line: Line, names: Names): string {
  return [line.row, line.reason, ...(line.changes ?? []).flatMap((c) => [c.feature, names.feature(c.feature), names.cell(c.feature, c.to)])].join(' ').toLowerCase();
}

function original(line: Line): Row {
  return { ...line.counterfactual, ...Object.fromEntries((line.changes ?? []).map((c) => [c.feature, c.from])) };
}

export function AnswersTable({ engine, job, names, onOpen }: { engine: Engine; job: Job; names: Names; onOpen: (title: string, row: Row) => void }) {
  const [lines, setLines] = useState<Line[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [status, setStatus] = useState('');
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const tooMany = (job.rows ?? 0) > mostRows;
  useEffect(() => {
    if (tooMany) return;
    engine.answers(job.id, 'json').then((blob) => blob.text()).then((text) => setLines(linesOf(text))).catch((e: unknown) => setError(textOf(e)));
  }, [engine, job.id, tooMany]);
  const found = useMemo(() => (lines ?? []).filter((line) => (status === '' || line.status === status) && (search === '' || searchText(line, names).includes(search.toLowerCase()))), [lines, status, search, names]);
  if (tooMany) return <p class="panel soft">A table of {number(job.rows ?? 0, 0)} rows is too long to show here; the files have all of it.</p>;
  if (!lines) return error ? <Problem text={error} /> : null;
  const pages = Math.max(1, Math.ceil(found.length / page)), here = Math.min(at, pages - 1);
  const kinds = [...new Set(lines.map((line) => line.status))];
  return (
    <section class="panel" aria-labelledby="table-title">
      <h2 id="table-title">Row by row</h2>
      <div class="filters">
        <select aria-label="Outcome" value={status} onChange={(e) => { setStatus(e.currentTarget.value); setAt(0); }}>
          <option value="">every outcome</option>
          {kinds.map((kind) => <option key={kind} value={kind}>{statusText[kind] ?? kind}</option>)}
        </select>
        <input type="search" aria-label="Search in the answers" placeholder="Search: a feature, a value, a row" value={search} onInput={(e) => { setSearch(e.currentTarget.value); setAt(0); }} />
        <span class="soft small" role="status" data-testid="found">{number(found.length, 0)} of {number(lines.length, 0)}</span>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Answers">
        <table>
          <thead><tr><th>Row</th><th>Outcome</th><th>What to change</th><th class="n">Probability</th><th class="n">Typical</th><th><span class="hidden-text">Open</span></th></tr></thead>
          <tbody>
            {found.slice(here * page, (here + 1) * page).map((line, i) => (
              <tr key={`${line.row} ${i}`}>
                <td class="tight">{line.row}</td>
                <td>{statusText[line.status] ?? line.status}</td>
                <td>
                  {(line.changes ?? []).slice(0, 6).map((c) => <div key={c.feature}>{names.feature(c.feature)}: {names.value(c.feature, c.from)} → <b>{names.cell(c.feature, c.to)}</b></div>)}
                  {(line.changes?.length ?? 0) > 6 && <div class="soft">and {(line.changes?.length ?? 0) - 6} more</div>}
                  {line.reason && <div class="soft small">{line.reason}</div>}
                </td>
                <td class="n tight">{line.metrics ? chance(line.metrics.probability) : ''}</td>
                <td class="n tight">{line.metrics?.quantile !== undefined ? percent(line.metrics.quantile) : ''}</td>
                <td class="tight">{line.counterfactual && <button type="button" class="quiet" onClick={() => onOpen(`Row ${line.row} of ${job.name || 'the table'}`, original(line))}>Open<span class="hidden-text"> row {line.row}</span></button>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length === 0 && <p class="soft">No row fits.</p>}
      {pages > 1 && (
        <div class="pager">
          <button type="button" disabled={here === 0} onClick={() => setAt(here - 1)}>Previous</button>
          <span class="soft small">page {here + 1} of {pages}</span>
          <button type="button" disabled={here >= pages - 1} onClick={() => setAt(here + 1)}>Next</button>
        </div>
      )}
    </section>
  );
}
