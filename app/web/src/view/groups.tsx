// Is it harder for some than for others? The cost of a changed decision, group by group.
import { useState } from 'preact/hooks';
import type { Audit, AuditGroup, Example, Interval, Model, Question } from '../contract.ts';
import type { Engine } from '../engine.ts';
import { textOf } from '../hooks.ts';
import { tidy } from '../question.ts';
import { count, number, percent, type Names } from '../words.ts';
import { Ask, LimitsNow } from './ask.tsx';
import type { RowFile } from './chooser.tsx';
import { BusyLine, Field, Problem } from './controls.tsx';
import { FilePicker } from './file_picker.tsx';

interface Props {
  engine: Engine;
  model: Model;
  names: Names;
  examples: Example[];
  file: RowFile | null;
  question: Question;
  onFile: (file: RowFile) => void;
  onQuestion: (change: (question: Question) => Question) => void;
}

type Get = (group: AuditGroup) => Interval | null;

function Bars({ title, audit, get, say, most, level }: { title: string; audit: Audit; get: Get; say: (value: number) => string; most?: number; level: (name: string) => string }) {
  const top = most ?? Math.max(1e-9, ...audit.groups.map((g) => Math.max(get(g)?.mean ?? 0, get(g)?.hi ?? 0)));
  const at = (value: number) => (98 * value) / top;
  return (
    <div>
      <h3>{title}</h3>
      <div class="group-bars">
        {audit.groups.map((group) => {
          const value = get(group);
          return (
            <>
              <span class="g">{level(group.name)}</span>
              <svg viewBox="0 0 100 22" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" x="0" y="4" width="100" height="14" />
                {value && <rect class="bar" x="0" y="4" width={at(value.mean)} height="14" />}
                {value && value.lo !== null && value.hi !== null && (
                  <path class="whisker" vector-effect="non-scaling-stroke" d={`M${at(value.lo)} 11H${at(value.hi)}M${at(value.lo)} 7V15M${at(value.hi)} 7V15`} />
                )}
              </svg>
              <span class="v">{value ? say(value.mean) : '–'}{value && value.lo !== null && value.hi !== null && value.hi > value.lo && <span class="soft"> ({say(value.lo)} to {say(value.hi)})</span>}</span>
            </>
          );
        })}
      </div>
    </div>
  );
}

function Charts({ audit, names, column }: { audit: Audit; names: Names; column: string }) {
  const level = (name: string) => names.level(column, name);
  const all = new Set(audit.groups.flatMap((g) => g.changed.map((c) => c.feature)));
  const features = [...new Set(audit.groups.flatMap((g) => g.changed.slice(0, 4).map((c) => c.feature)))].slice(0, 6);
  return (
    <>
      <section class="panel" aria-labelledby="groups-cost">
        <h2 id="groups-cost" class="break">By {names.feature(audit.by)}</h2>
        <div class="audit-charts">
          <Bars title="Have the unwanted decision" audit={audit} level={level} most={1} get={(g) => (g.rows > 0 ? { mean: g.refused / g.rows, lo: null, hi: null } : null)} say={percent} />
          <Bars title="… of them have an answer" audit={audit} level={level} most={1} get={(g) => g.answered} say={percent} />
          <Bars title="Distance (l2)" audit={audit} level={level} get={(g) => g.distance} say={(v) => number(v, 2)} />
          <Bars title="Features changed" audit={audit} level={level} get={(g) => g.changes} say={(v) => number(v, 2)} />
          <Bars title="As typical as … of the class" audit={audit} level={level} most={1} get={(g) => g.quantile} say={percent} />
        </div>
        <p class="soft small">Bars are means; the lines on them are their intervals. {audit.note}</p>
      </section>
      <section class="panel" aria-labelledby="groups-table">
        <h2 id="groups-table">What the answers change</h2>
        <div class="scroll" tabIndex={0} role="region" aria-label="What the answers change, by group">
          <table>
            <thead><tr><th>Group</th><th class="n">Rows</th><th class="n">Unwanted</th>{features.map((f) => <th class="n" key={f}>{names.feature(f)}</th>)}</tr></thead>
            <tbody>
              {audit.groups.map((g) => (
                <tr key={g.name}>
                  <th scope="row">{level(g.name)}</th><td class="n">{number(g.rows, 0)}</td><td class="n">{number(g.refused, 0)}</td>
                  {features.map((f) => { const share = g.changed.find((c) => c.feature === f)?.share; return <td class="n tight" key={f}>{share ? percent(share.mean) : g.refused > 0 ? '0 %' : '–'}</td>; })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {all.size > features.length && <p class="soft small">and {count(all.size - features.length, 'other feature', 'other features')}</p>}
      </section>
    </>
  );
}

export function Groups({ engine, model, names, examples, file, question, onFile, onQuestion }: Props) {
  const [by, setBy] = useState('');
  const [answer, setAnswer] = useState<{ audit: Audit; column: string } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const columns = file?.sheet.header ?? [];
  const column = columns.includes(by) ? by : (columns.find((c) => (names.byName.get(c)?.immutable ?? false) && names.byName.get(c)?.levels) ?? columns[0] ?? '');
  const run = async () => {
    if (!file) return;
    setBusy(true);
    setError(null);
    try {
      setAnswer({ audit: await engine.audit(model.name, file.text, column, tidy({ ...question, answers: 1, path: false })), column });
    } catch (e) {
      setAnswer(null);
      setError(textOf(e));
    }
    setBusy(false);
  };
  return (
    <div class="two">
      <section class="panel" aria-labelledby="groups-title">
        <h2 id="groups-title">Is it harder for some?</h2>
        <div class="stack">
          <FilePicker model={model} examples={examples} names={names} file={file} onFile={onFile} />
          {file && (
            <Field label="Compare groups by">
              {(id) => <select id={id} value={column} onChange={(e) => setBy(e.currentTarget.value)}>{columns.map((c) => <option key={c} value={c}>{names.feature(c)}</option>)}</select>}
            </Field>
          )}
          <Ask model={model} names={names} question={question} onQuestion={onQuestion} plans={false} />
          <LimitsNow model={model} names={names} question={question} onQuestion={onQuestion} />
          <div><button type="button" class="primary" disabled={!file || busy} onClick={() => void run()}>Compare</button></div>
          <BusyLine on={busy} />
          <Problem text={error} />
        </div>
      </section>
      <div class="stack" aria-busy={busy}>
        {answer ? <Charts audit={answer.audit} names={names} column={answer.column} /> : <p class="panel soft">Charts by group will be here: how often a decision can be changed, and what it takes.</p>}
      </div>
    </div>
  );
}
