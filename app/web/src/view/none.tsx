// Why there is no plan (or none typical enough), and what would help: each hint is a button.
import type { Explained, Hint } from '../contract.ts';
import type { Names } from '../words.ts';

const sentence = (text: string) => (text ? text[0]?.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.') : '');

export function Hints({ hints, onHint }: { hints: Hint[]; onHint: (hint: Hint) => void }) {
  if (hints.length === 0) return null;
  return (
    <>
      <p>This would help. Each was tried; a click applies it:</p>
      <div class="hint-list">
        {hints.map((hint, i) => <button key={i} type="button" onClick={() => onHint(hint)}>{sentence(hint.text).replace(/\.$/, '')}</button>)}
      </div>
    </>
  );
}

export function None({ answer, names, onHint, onOther }: { answer: Explained; names: Names; onHint: (hint: Hint) => void; onOther: (target: string) => void }) {
  if (answer.status === 'already') {
    const others = Object.keys(answer.probability).filter((c) => c !== answer.target);
    return (
      <div class="stack">
        <p>The decision is {names.class(answer.target)} already: nothing has to change.</p>
        {others.length === 1 && others[0] !== undefined && (
          <div><button type="button" onClick={() => onOther(others[0] ?? '')}>What would make it {names.class(others[0])}?</button></div>
        )}
      </div>
    );
  }
  const title = answer.status === 'time_limit' ? 'Time was up before an answer was found' : answer.status === 'not_finite' ? 'The model gives no number for this row' : 'There is no answer within these limits';
  return (
    <div class="stack" data-testid="none">
      <h3>{title}</h3>
      {answer.reason && <p class="break">{sentence(answer.reason)}</p>}
      <Hints hints={answer.hints} onHint={onHint} />
    </div>
  );
}
