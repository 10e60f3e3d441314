// What the model says of the row as it stands, while it is edited.
import type { ComponentChildren } from 'preact';
import type { Prediction, Question } from '../contract.ts';
import { chance, number, percent, type Names } from '../words.ts';
import { Meter } from './strip.tsx';

interface Props {
  prediction: Prediction | null;
  before: Prediction | null; // of the row as it was chosen; null: it was not edited
  target: string;
  question: Question;
  names: Names;
  children?: ComponentChildren;
}

export function Decision({ prediction, before, target, question, names, children }: Props) {
  if (!prediction) return <section class="panel decision" aria-label="Decision"><p class="verdict soft">…</p></section>;
  const given = prediction.class;
  const shown = target === 'any' ? (given ?? '') : target;
  const share = prediction.probability[shown] ?? 0;
  const was = before?.probability[shown];
  const typical = given === null ? null : prediction.typical[given];
  const wanted = given !== null && (given === target);
  return (
    <section id="decision" tabIndex={-1} class="panel decision" aria-label="Decision">
      <div class="decision-line">
        <div>
          <p class="soft small">The model says</p>
          <p class="verdict" aria-live="polite">
            {given === null ? 'nothing' : <span class={wanted ? 'good' : 'bad'} data-testid="verdict">{names.class(given)}</span>}
          </p>
        </div>
        <div class="chance">
          <p class="text">
            <span>Probability of <span class="break">{names.class(shown)}</span></span>
            <span>
              {was !== undefined && <span>before {chance(was)}, now </span>}<b data-testid="chance">{chance(share)}</b>
            </span>
          </p>
          <Meter value={share} before={was} floor={question.probability ? question.probability : Object.keys(prediction.probability).length === 2 ? 0.5 : undefined} />
        </div>
        {children}
      </div>
      {prediction.reason && <p class="notice">{prediction.reason}</p>}
      {prediction.output !== null && <p class="soft small">The model’s output: {number(prediction.output)}</p>}
      {given !== null && typeof typical === 'number' && (
        <p class="soft small typical-now">As typical as {percent(typical)} of the {names.class(given)} {names.many} the model learnt from</p>
      )}
    </section>
  );
}
