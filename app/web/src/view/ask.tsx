// What is asked for: the decision wanted, how many changes, how typical, how sure, how many plans.
import type { Model, Question } from '../contract.ts';
import { clearLimits, isLocked, limited, movable } from '../question.ts';
import { percent, type Names } from '../words.ts';
import { Field, Segments, Slider, WholeNumber, type Choice } from './controls.tsx';
import { Icon } from './icons.tsx';
import { limitText } from './limit_panel.tsx';

export interface AskProps {
  model: Model;
  names: Names;
  question: Question;
  onQuestion: (change: (question: Question) => Question) => void;
}

// For numbers up to six a row of buttons, for more (images) a field.
function HowMany({ model, question, onQuestion }: AskProps) {
  const most = movable(model.features, question), value = question['max-changes'] ?? 3;
  const set = (n: number) => onQuestion((q) => ({ ...q, 'max-changes': n }));
  if (most > 60)
    return <Field label="Change at most" hint={`of ${most} features`}>{(id) => <WholeNumber id={id} value={value} min={1} max={most} onChange={set} />}</Field>;
  const choices = Array.from({ length: Math.min(6, most) }, (_, i) => ({ value: i + 1, text: String(i + 1) }));
  if (value > choices.length) choices.push({ value, text: String(value) });
  return (
    <div class="field">
      <span class="name">Change at most<output>{value === 1 ? '1 thing' : `${value} things`}</output></span>
      <Segments label="Change at most this many things" value={value} choices={choices} onChange={set} />
    </div>
  );
}

function Target({ model, names, question, onQuestion }: AskProps) {
  const choices: Choice<string>[] = model.classes.map((c) => ({ value: c.name, text: names.class(c.name) }));
  if (model.classes.length > 2) choices.push({ value: 'any', text: 'any other' });
  return (
    <Field label="The decision you want">
      {(id) => (
        <select id={id} value={String(question.target)} onChange={(e) => { const target = e.currentTarget.value; onQuestion((q) => ({ ...q, target })); }}>
          {choices.map((c) => <option key={c.value} value={c.value}>{c.text}</option>)}
        </select>
      )}
    </Field>
  );
}

const planChoices = [1, 2, 3, 4, 5].map((n) => ({ value: n, text: String(n) }));

export function Ask(props: AskProps & { plans: boolean }) {
  const { names, question, onQuestion, plans } = props;
  const target = String(question.target), plausible = question.plausible ?? 0, sure = question.probability ?? 0;
  const answers = question.answers ?? 1;
  return (
    <div class="ask">
      <Target {...props} />
      <HowMany {...props} />
      <Slider label="How typical?" says={plausible > 0 ? `at least ${percent(plausible)}` : 'no matter'} value={plausible} min={0} max={0.9} step={0.05}
        onInput={(value) => onQuestion((q) => ({ ...q, plausible: Math.round(100 * value) / 100 }))}>
        <span class="soft small">
          {plausible > 0 ? `as typical as ${percent(plausible)} of ${target === 'any' ? 'that class’s' : names.class(target)} ${names.many}` : 'the result may be unusual'}
        </span>
      </Slider>
      <Slider label="How sure?" says={sure > 0 ? `at least ${percent(sure)}` : 'it just wins'} value={sure > 0 ? sure : 0.5} min={0.5} max={0.99} step={0.01}
        onInput={(value) => onQuestion((q) => ({ ...q, probability: value > 0.5 ? Math.round(100 * value) / 100 : 0 }))}>
        <span class="soft small">the probability of {target === 'any' ? 'the new decision' : names.class(target)} afterwards</span>
      </Slider>
      {plans && (
        <div class="field">
          <span class="name">Show me<output>{answers === 1 ? '1 answer' : `${answers} answers`}</output></span>
          <Segments label="How many answers" value={answers} choices={planChoices} onChange={(n) => onQuestion((q) => ({ ...q, answers: n }))} />
        </div>
      )}
      {plans && answers > 1 && (
        <Field label="Answers differ in">
          {(id) => (
            <select id={id} value={question.diverse ?? 'features'} onChange={(e) => { const diverse = e.currentTarget.value === 'values' ? 'values' : 'features'; onQuestion((q) => ({ ...q, diverse })); }}>
              <option value="features">what they change</option>
              <option value="values">what, or how much</option>
            </select>
          )}
        </Field>
      )}
    </div>
  );
}

// The locks and limits in force; a click lifts one.
export function LimitsNow({ model, names, question, onQuestion }: AskProps) {
  const list = limited(question, model.features), rules = question.rule ?? [];
  if (list.length + rules.length === 0) return null;
  return (
    <div class="limits-now">
      <span class="soft small">Your limits:</span>
      {list.map((name) => {
        const feature = names.byName.get(name);
        const text = [isLocked(question, name) ? 'stays' : '', feature ? limitText(feature, question, names) : ''].filter(Boolean).join(', ');
        return (
          <button key={name} type="button" class="chip" title="Lift this limit" onClick={() => onQuestion((q) => clearLimits(q, name))}>
            <span>{names.feature(name)}: {text}</span><Icon name="close" /><span class="hidden-text">, lift this limit</span>
          </button>
        );
      })}
      {rules.map((rule) => (
        <button key={rule} type="button" class="chip" title="Lift this rule" onClick={() => onQuestion((q) => ({ ...q, rule: rules.filter((r) => r !== rule) }))}>
          <span>{rule}</span><Icon name="close" /><span class="hidden-text">, lift this rule</span>
        </button>
      ))}
    </div>
  );
}
