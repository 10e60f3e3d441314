// The row: choose it, edit it, lock and limit its features.
import { useState } from 'preact/hooks';
import type { Cell, Model, Question, Row } from '../contract.ts';
import type { Names } from '../words.ts';
import { Chooser, type Start } from './chooser.tsx';
import { FeatureRow } from './feature_row.tsx';
import { Icon } from './icons.tsx';
import { PictureEditor } from './picture.tsx';

interface Props {
  model: Model;
  names: Names;
  starts: Start[];
  start: Start;
  row: Row;
  question: Question;
  onStart: (start: Start) => void;
  onValue: (name: string, value: Cell) => void;
  onReset: () => void;
  onQuestion: (change: (question: Question) => Question) => void;
}

const manyFeatures = 30, listed = 60;

export function RowEditor({ model, names, starts, start, row, question, onStart, onValue, onReset, onQuestion }: Props) {
  const [filter, setFilter] = useState('');
  const [unfolded, setUnfolded] = useState(false); // on narrow screens the values come when asked for
  const edited = model.features.some((f) => row[f.name] !== start.cells[f.name]);
  const wanted = model.features.filter((f) => `${f.name} ${names.feature(f.name)}`.toLowerCase().includes(filter.toLowerCase()));
  const shown = wanted.slice(0, listed);
  const list = (
    <ul class="features">
      {shown.map((f) => (
        <FeatureRow key={f.name} feature={f} value={row[f.name] ?? null} original={start.cells[f.name] ?? null} question={question}
          target={String(question.target)} names={names} onValue={onValue} onQuestion={onQuestion} />
      ))}
    </ul>
  );
  const finder = model.features.length > manyFeatures && (
    <div class="filters">
      <input type="search" placeholder="Find a feature" aria-label="Find a feature" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
      {wanted.length > listed && <span class="soft small">the first {listed} of {wanted.length}</span>}
    </div>
  );
  return (
    <section class="panel side" aria-labelledby="row-title">
      <div class="panel-head">
        <h2 id="row-title">{names.one}</h2>
        <button type="button" class="quiet" disabled={!edited} onClick={onReset}><Icon name="undo" />Undo edits</button>
      </div>
      <Chooser starts={starts} chosen={start.key} onChoose={onStart} />
      <button type="button" class="only-narrow" aria-expanded={unfolded} aria-controls="values" onClick={() => setUnfolded(!unfolded)}>
        {unfolded ? 'Hide the values' : 'Edit and lock values'}
      </button>
      <div id="values" class={unfolded ? 'foldable unfolded' : 'foldable'}>
      {model.image
        ? (
          <>
            <PictureEditor image={model.image} features={model.features} row={row} original={start.cells} onValue={onValue} />
            <details><summary>All pixels, with locks and limits</summary>{finder}{list}</details>
          </>
        )
        : <>
          <p class="soft small">Change anything and watch the decision. A closed lock keeps answers from changing it.</p>
          {finder}{list}
        </>}
      </div>
    </section>
  );
}
