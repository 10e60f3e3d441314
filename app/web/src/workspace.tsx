// What the views share: the row, the question, and the user's file.
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { View } from './app.tsx';
import type { Example, Model, Question, Row } from './contract.ts';
import type { Engine } from './engine.ts';
import { Names } from './words.ts';
import { startsOf, type RowFile, type Start } from './view/chooser.tsx';
import { Groups } from './view/groups.tsx';
import { Many } from './view/many.tsx';
import { One } from './view/one.tsx';

const firstPlans = 3;

// Of two classes the last is usually the one that people want: begin with a row that does not have it.
function firstStart(model: Model, examples: Example[], starts: Start[]): Start {
  const wanted = model.classes.at(-1)?.name;
  const index = examples.findIndex((e) => e.class !== null && e.class !== wanted);
  return starts[Math.max(0, index)] ?? { key: 'start', title: '', cells: model.start };
}

function firstQuestion(model: Model): Question {
  const { defaults } = model;
  const target = model.classes.length === 2 || model.regression ? model.classes.at(-1)?.name : 'any';
  const most = model.image ? 50 : (defaults['max-changes'] ?? 3);
  return {
    target,
    probability: defaults.probability ?? 0,
    plausible: defaults.plausible ?? 0,
    'max-changes': Math.min(model.features.length, most),
    answers: model.image ? 1 : firstPlans,
    diverse: defaults.diverse ?? 'features',
  };
}

interface Props { engine: Engine; model: Model; examples: Example[]; view: View }

export function Workspace({ engine, model, examples, view }: Props) {
  const names = useMemo(() => new Names(model), [model]);
  const [file, setFile] = useState<RowFile | null>(null);
  const [opened, setOpened] = useState<Start | null>(null); // a row that another view handed over
  const starts = useMemo(() => [...(opened ? [opened] : []), ...startsOf(model, examples, file, names)], [opened, model, examples, file, names]);
  const [start, setStart] = useState<Start>(() => firstStart(model, examples, starts));
  const [row, setRow] = useState<Row>(start.cells);
  const [question, setQuestion] = useState<Question>(() => firstQuestion(model));
  const choose = useCallback((chosen: Start) => { setStart(chosen); setRow(chosen.cells); }, []);
  const takeFile = (given: RowFile) => setFile(given);
  const open = (title: string, cells: Row) => {
    const given = { key: `opened ${title}`, title, cells };
    setOpened(given);
    choose(given);
    location.hash = '#one';
  };
  const shared = { engine, model, names, question, onQuestion: setQuestion };
  if (view === 'many') return <Many {...shared} examples={examples} file={file} onFile={takeFile} onOpen={open} />;
  if (view === 'groups') return <Groups {...shared} examples={examples} file={file} onFile={takeFile} />;
  return <One {...shared} starts={starts} start={start} row={row} onStart={choose} onRow={setRow} />;
}
