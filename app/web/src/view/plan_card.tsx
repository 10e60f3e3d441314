// One plan: what to change, and what it leads to.
import type { ComponentChildren } from 'preact';
import type { Change, Model, Plan, Question, Row } from '../contract.ts';
import { chance, count, number, percent, type Names } from '../words.ts';
import { Icon } from './icons.tsx';
import { PlanPictures } from './picture.tsx';
import { ChangeStrip, Meter } from './strip.tsx';

interface Props {
  plan: Plan;
  title: string;
  model: Model;
  row: Row;
  names: Names;
  question: Question;
  chosen?: boolean;
  onTry: (plan: Plan) => void;
  onLock?: (feature: string) => void;
  children?: ComponentChildren;
}

function OneChange({ change, plan, names, onLock }: { change: Change; plan: Plan; names: Names; onLock?: (feature: string) => void }) {
  const feature = names.byName.get(change.feature), label = names.feature(change.feature);
  return (
    <li class="change" data-feature={change.feature}>
      <div class="change-head">
        <span class="feature-name">{label}</span>
        {onLock && (
          <button type="button" class="icon" aria-label={`Find answers that leave ${label} as it is`} title={`Find answers that leave ${label} as it is`}
            onClick={() => onLock(change.feature)}><Icon name="open" /></button>
        )}
      </div>
      <p class="fromto">
        <span class="from">{feature?.levels ? names.level(change.feature, change.from_text) : change.from_text}</span>
        <span class="arrow" aria-label="becomes" role="img">→</span>
        <span class="to">{feature?.levels ? names.level(change.feature, change.to_text) : change.to_text}</span>
        {change.unit && <span class="unit"> {change.unit}</span>}
      </p>
      {feature && <ChangeStrip feature={feature} target={plan.target} from={change.from} to={change.to} />}
    </li>
  );
}

function Changes({ plan, names, onLock }: { plan: Plan; names: Names; onLock?: (feature: string) => void }) {
  const most = 12, rest = plan.changes.length - most;
  return (
    <>
      <ul class="changes">
        {plan.changes.slice(0, most).map((change) => <OneChange key={change.feature} change={change} plan={plan} names={names} onLock={onLock} />)}
      </ul>
      {rest > 0 && <p class="soft small">and {rest} more</p>}
    </>
  );
}

export function PlanCard({ plan, title, model, row, names, question, chosen, onTry, onLock, children }: Props) {
  const asked = question.plausible ?? 0;
  return (
    <article class={chosen ? 'plan chosen' : 'plan'} aria-label={title}>
      <div class="plan-head">
        <h3>{title}</h3>
        <span class="soft small">{count(plan.changes.length, 'change', 'changes')}</span>
      </div>
      {model.image
        ? <PlanPictures image={model.image} features={model.features} row={row} plan={plan} names={names} />
        : <Changes plan={plan} names={names} onLock={onLock} />}
      <div class="grow" />
      <dl class="facts">
        <dt>Probability</dt>
        <dd><Meter value={plan.probability} before={plan.probability_before} /></dd>
        <dd class="v"><span class="soft">{chance(plan.probability_before)} →</span> <b>{chance(plan.probability)}</b></dd>
        {plan.quantile !== null && (
          <>
            <dt>Typical</dt>
            <dd><Meter value={plan.quantile} floor={asked > 0 ? asked : undefined} /></dd>
            <dd class="v"><b>{percent(plan.quantile)}</b></dd>
          </>
        )}
        <dt>Distance</dt>
        <dd class="wide v"><b data-testid="distance">{number(plan.distance, 3)}</b></dd>
        {plan.output !== null && plan.output_before !== null && (
          <>
            <dt>Output</dt>
            <dd class="wide v"><span class="soft">{number(plan.output_before)} →</span> <b>{number(plan.output)}</b></dd>
          </>
        )}
      </dl>
      <div class="badges">
        {plan.proven ? <span class="badge good">proven: none with as few changes is closer</span> : <span class="badge">checked; closer may exist</span>}
        {plan.knee && <span class="badge accent">best balance</span>}
        {plan.status === 'below_floor' && <span class="badge warm">less typical than asked</span>}
        {plan.timed_out && <span class="badge warm">time was up</span>}
      </div>
      {plan.notes.length > 0 && <p class="soft small break">{plan.notes.join(' ')}</p>}
      <div class="plan-foot">
        <button type="button" onClick={() => onTry(plan)}>Try these values</button>
        {children}
      </div>
    </article>
  );
}
