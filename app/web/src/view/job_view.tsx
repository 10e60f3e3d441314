// One batch job: progress while it runs; then a summary, a table with a filter, and downloads.
import { useState } from 'preact/hooks';
import type { Job, Row, Status } from '../contract.ts';
import type { Engine } from '../engine.ts';
import { textOf } from '../hooks.ts';
import { count, number, percent, type Names } from '../words.ts';
import { AnswersTable } from './answers_table.tsx';
import { Problem } from './controls.tsx';
import { Icon } from './icons.tsx';
import { atWork, stateText } from './many.tsx';

const most_bars = 8;
const formats = [['csv', 'CSV'], ['html', 'Report'], ['json', 'JSON']] as const;

export const statusText: Record<Status, string> = {
  valid: 'has an answer', below_floor: 'less typical than asked', already: 'nothing to do', not_found: 'no answer',
  time_limit: 'time was up', not_finite: 'no number',
};

function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function Summary({ job, names }: { job: Job; names: Names }) {
  const s = job.summary;
  if (!s) return null;
  const tiles: [string, string][] = [['rows', number(job.rows ?? job.done, 0)]];
  for (const [status, n] of Object.entries(s.status) as [Status, number][]) if (n > 0) tiles.push([statusText[status] ?? status, number(n, 0)]);
  if (s.distance !== null) tiles.push(['distance, on average', number(s.distance, 2)]);
  if (s.quantile !== null) tiles.push(['as typical as, on average', percent(s.quantile)]);
  const most = Math.max(1, ...s.changed.map((c) => c.rows));
  return (
    <div class="stack">
      <dl class="tiles">{tiles.map(([text, value]) => <div class="tile" key={text}><dt>{text}</dt><dd>{value}</dd></div>)}</dl>
      {s.changed.length > 0 && (
        <div>
          <h3>What the answers change</h3>
          <div class="group-bars">
            {s.changed.slice(0, most_bars).map((c) => (
              <>
                <span class="g">{names.feature(c.feature)}</span>
                <svg viewBox="0 0 100 22" preserveAspectRatio="none" aria-hidden="true"><rect class="track" x="0" y="5" width="100" height="12" /><rect class="bar" x="0" y="5" width={(100 * c.rows) / most} height="12" /></svg>
                <span class="v">{number(c.rows, 0)}</span>
              </>
            ))}
          </div>
          {s.changed.length > most_bars && <p class="soft small">and {count(s.changed.length - most_bars, 'other feature', 'other features')}</p>}
        </div>
      )}
    </div>
  );
}

export function JobView({ engine, job, names, onCancel, onOpen }: { engine: Engine; job: Job; names: Names; onCancel: () => void; onOpen: (title: string, row: Row) => void }) {
  const [error, setError] = useState<string | null>(null);
  const download = async (format: 'csv' | 'json' | 'html') => {
    try {
      save(await engine.answers(job.id, format), `${(job.name || job.id).replace(/\.csv$/i, '')}-answers.${format}`);
    } catch (e) {
      setError(textOf(e));
    }
  };
  return (
    <>
      <section class="panel" aria-labelledby="job-title">
        <div class="panel-head">
          <h2 id="job-title" class="break">{job.name || job.id}</h2>
          {job.state === 'done' && formats.map(([format, text]) => (
            <button key={format} type="button" onClick={() => void download(format)}><Icon name="save" />{text}<span class="hidden-text">, download the answers</span></button>
          ))}
          {atWork(job) && <button type="button" onClick={onCancel}>Cancel</button>}
        </div>
        {atWork(job) && (
          <div class="stack">
            <progress aria-label="Rows done" max={job.rows ?? 1} value={job.rows ? job.done : undefined} />
            <p role="status">{stateText(job)}: {number(job.done, 0)} of {job.rows === null ? '?' : count(job.rows, 'row', 'rows')} done, {number(job.answered, 0)} with an answer</p>
          </div>
        )}
        {job.state === 'failed' && <Problem text={job.error ?? 'The job failed.'} />}
        {job.warnings.map((text) => <p class="notice" key={text}>{text}</p>)}
        <Problem text={error} />
        {job.state === 'done' && <Summary job={job} names={names} />}
      </section>
      {job.state === 'done' && <AnswersTable engine={engine} job={job} names={names} onOpen={onOpen} />}
    </>
  );
}
