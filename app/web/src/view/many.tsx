// Many rows: upload a table, follow the job, read and download its answers.
import { useEffect, useState } from 'preact/hooks';
import type { Example, Job, Model, Question, Row } from '../contract.ts';
import type { Engine } from '../engine.ts';
import { textOf } from '../hooks.ts';
import { tidy } from '../question.ts';
import { count, percent, type Names } from '../words.ts';
import { Ask, LimitsNow } from './ask.tsx';
import type { RowFile } from './chooser.tsx';
import { Problem } from './controls.tsx';
import { FilePicker } from './file_picker.tsx';
import { JobView } from './job_view.tsx';

interface Props {
  engine: Engine;
  model: Model;
  names: Names;
  examples: Example[];
  file: RowFile | null;
  question: Question;
  onFile: (file: RowFile) => void;
  onQuestion: (change: (question: Question) => Question) => void;
  onOpen: (title: string, row: Row) => void;
}

export const atWork = (job: Job) => job.state === 'waiting' || job.state === 'running' || job.state === 'interrupted';

// The list of jobs, asked for again as long as one of them is at work.
function useJobs(engine: Engine) {
  const [jobs, setJobs] = useState<Job[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false, timer: ReturnType<typeof setTimeout> | undefined;
    engine.jobs().then(
      (list) => {
        if (gone) return;
        setJobs(list);
        setProblem(null);
        if (list.some(atWork)) timer = setTimeout(() => setTurn((n) => n + 1), 400);
      },
      (error: unknown) => { if (!gone) setProblem(textOf(error)); },
    );
    return () => { gone = true; clearTimeout(timer); };
  }, [engine, turn]);
  return { jobs, problem, again: () => setTurn((n) => n + 1) };
}

export function Many({ engine, model, names, examples, file, question, onFile, onQuestion, onOpen }: Props) {
  const { jobs, problem, again } = useJobs(engine);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const mine = jobs.filter((job) => job.model === model.name);
  const job = mine.find((j) => j.id === chosen) ?? mine[0];
  const begin = async () => {
    if (!file) return;
    try {
      setError(null);
      const asked = tidy({ ...question, answers: 1, path: false });
      setChosen((await engine.startJob(model.name, file.text, file.name, asked)).id);
      again();
    } catch (e) {
      setError(textOf(e));
    }
  };
  const remove = async (id: string) => {
    try {
      await engine.deleteJob(id);
      again();
    } catch (e) {
      setError(textOf(e));
    }
  };
  return (
    <div class="two">
      <div class="stack">
        <section class="panel" aria-labelledby="many-title">
          <h2 id="many-title">Many {names.many} at once</h2>
          <div class="stack">
            <FilePicker model={model} examples={examples} names={names} file={file} onFile={onFile} />
            <Ask model={model} names={names} question={question} onQuestion={onQuestion} plans={false} />
            <LimitsNow model={model} names={names} question={question} onQuestion={onQuestion} />
            <div><button type="button" class="primary" disabled={!file} onClick={() => void begin()}>Find an answer for each row</button></div>
            <Problem text={error ?? problem} />
          </div>
        </section>
        {mine.length > 0 && (
          <section class="panel" aria-labelledby="jobs-title">
            <h2 id="jobs-title">Earlier and under way</h2>
            <ul class="jobs">
              {mine.map((j) => (
                <li key={j.id}>
                  <button type="button" class="quiet job-name" aria-pressed={j.id === job?.id} onClick={() => setChosen(j.id)}>{j.name || j.id}</button>
                  <span class="soft small">{stateText(j)}</span>
                  <button type="button" class="quiet" onClick={() => void remove(j.id)}>{atWork(j) ? 'Cancel' : 'Delete'}<span class="hidden-text"> {j.name || j.id}</span></button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div class="stack">
        {job
          ? <JobView key={job.id} engine={engine} job={job} names={names} onCancel={() => void remove(job.id)} onOpen={onOpen} />
          : <p class="panel soft">The answers will be here: a summary, a table to search, and files to download.</p>}
      </div>
    </div>
  );
}

export function stateText(job: Job): string {
  if (job.state === 'failed') return 'failed';
  if (job.state === 'done') return count(job.rows ?? job.done, 'row', 'rows');
  if (job.state === 'waiting') return 'waiting';
  return job.rows ? percent(job.done / job.rows) : 'at work';
}
