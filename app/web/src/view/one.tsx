// One row: what the model decides, and what would change it.
import { useCallback, useMemo } from 'preact/hooks';
import type { Cell, Feature, Hint, Model, Plan, Question, Row } from '../contract.ts';
import type { Engine } from '../engine.ts';
import { useLive } from '../hooks.ts';
import { curveQuestion, lock, tidy } from '../question.ts';
import { count, number, type Names } from '../words.ts';
import { Ask, LimitsNow } from './ask.tsx';
import type { Start } from './chooser.tsx';
import { BusyLine, Problem } from './controls.tsx';
import { Curve } from './curve.tsx';
import { Decision } from './decision.tsx';
import { Hints, None } from './none.tsx';
import { PlanCard } from './plan_card.tsx';
import { RowEditor } from './row_editor.tsx';

interface Props {
  engine: Engine;
  model: Model;
  names: Names;
  starts: Start[];
  start: Start;
  row: Row;
  question: Question;
  onStart: (start: Start) => void;
  onRow: (change: (row: Row) => Row) => void;
  onQuestion: (change: (question: Question) => Question) => void;
}

const letters = 'ABCDEFGHIJ';

export function One({ engine, model, names, starts, start, row, question, onStart, onRow, onQuestion }: Props) {
  const asked = useMemo(() => tidy(question), [question]);
  const target = String(question.target);
  const rowKey = JSON.stringify(row);
  const edited = rowKey !== JSON.stringify(start.cells);
  const now = useLive(rowKey, 20, (signal) => engine.predict(model.name, row, signal));
  const before = useLive(edited ? JSON.stringify(start.cells) : null, 0, (signal) => engine.predict(model.name, start.cells, signal));
  const plans = useLive(`${rowKey} ${JSON.stringify(asked)}`, 180, (signal) => engine.explain(model.name, row, asked, signal));
  const answer = plans.value;
  const found = answer?.plans.filter((plan) => plan.changes.length > 0) ?? []; // a row that has the decision is its own plan
  const withCurve = !model.image && target !== 'any' && found.length > 0;
  const curveAsked = useMemo(() => curveQuestion(asked, model.features), [asked, model]);
  const curve = useLive(withCurve ? `${rowKey} ${JSON.stringify(curveAsked)}` : null, 350, (signal) => engine.explain(model.name, row, curveAsked, signal));

  const onValue = useCallback((name: string, value: Cell) => onRow((r) => ({ ...r, [name]: value })), [onRow]);
  // The button goes away with its answer: the keyboard goes on at the decision, which has changed.
  const tryPlan = (plan: Plan) => {
    onRow((r) => ({ ...r, ...plan.counterfactual }));
    document.getElementById('decision')?.focus({ preventScroll: true });
  };
  const applyHint = (hint: Hint) => {
    // A hint comes with a whole new question; what it leaves out is no longer asked.
    onQuestion((q) => ({ target: q.target, ...hint.apply.question }));
    if (Object.keys(hint.apply.row).length > 0) onRow((r) => ({ ...r, ...hint.apply.row }));
  };
  const gap = now.error === null ? undefined : model.features.find((f) => f.levels === null && row[f.name] === null);
  const has = now.value?.class === target;
  return (
    <div class="one">
      <RowEditor model={model} names={names} starts={starts} start={start} row={row} question={question} onStart={onStart} onValue={onValue}
        onReset={() => onRow(() => start.cells)} onQuestion={onQuestion} />
      <div class="stack">
        <Decision prediction={now.value} before={edited ? before.value : null} target={target} question={question} names={names} />
        <Problem text={gap ? missingNumber(gap, names) : now.error} />
        <section class="panel ask-panel" aria-labelledby="ask-title">
          <h2 id="ask-title">What would change the decision?</h2>
          <Ask model={model} names={names} question={question} onQuestion={onQuestion} plans />
          <LimitsNow model={model} names={names} question={question} onQuestion={onQuestion} />
        </section>
        <section aria-labelledby="plans-title" class="stack plans-section" aria-busy={plans.busy}>
          <div>
            <h2 id="plans-title"><span role="status" data-testid="plans-title">{titleOf(found, answer?.status === 'already', plans.busy && !answer, has ? names.class(target) : null)}</span></h2>
            <BusyLine on={plans.busy} />
          </div>
          {plans.error !== now.error && <Problem text={plans.error} />}
          {answer && found.length === 0 && (
            <div class="panel"><None answer={answer} names={names} onHint={applyHint} onOther={(t) => onQuestion((q) => ({ ...q, target: t }))} /></div>
          )}
          {answer && found.length > 0 && answer.status === 'below_floor' && (
            <div class="panel">
              <p class="break">{answer.reason ?? 'No answer is as typical as asked; these are the most typical ones.'}</p>
              <Hints hints={answer.hints} onHint={applyHint} />
            </div>
          )}
          <ul class="plans">
            {found.map((plan, i) => (
              <li key={i}>
                <PlanCard plan={plan} title={`Answer ${letters[i] ?? i + 1}`} model={model} row={row} names={names} question={question} onTry={tryPlan}
                  onLock={(name) => onQuestion((q) => lock(q, name, true))} />
              </li>
            ))}
          </ul>
        </section>
        {withCurve && curve.value && curve.value.plans.length > 0 && (
          <Curve answer={curve.value} model={model} names={names} question={question} row={row} onTry={tryPlan}
            onChanges={(n) => onQuestion((q) => ({ ...q, 'max-changes': n }))} />
        )}
        {found.length > 0 && <Legend names={names} target={target} />}
      </div>
    </div>
  );
}

// `has`: the decision that was asked for, if the row has it already.
function titleOf(found: Plan[], already: boolean, first: boolean, has: string | null): string {
  if (first) return 'Looking for answers …';
  if (already) return 'Nothing to do';
  if (found.length === 0) return 'No answer';
  const answers = count(found.length, 'answer', 'answers');
  return has === null ? answers : `Already ${has}, but less surely than asked; ${answers} would be more so`;
}

function missingNumber(feature: Feature, names: Names): string {
  const [least, most] = feature.range ?? [null, null];
  const within = least !== null && most !== null ? ` (${number(least)} to ${number(most)})` : '';
  return `${names.feature(feature.name)}: enter a number${within}.`;
}

function Legend({ names, target }: { names: Names; target: string }) {
  return (
    <p class="soft small">
      <b>Probability</b>: what the model gives for the decision you want, before and after. <b>Typical</b>: the share of {target === 'any' ? '' : `${names.class(target)} `}
      {names.many} that are no more typical than this answer. <b>Distance</b>: how far the values move together; 1 is one number across its whole range.
      The small charts show {target === 'any' ? 'the new class’s' : names.class(target)} {names.many}, with the value before (hollow) and after (filled).
    </p>
  );
}
