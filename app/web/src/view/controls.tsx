// Form controls that several views share.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Choice<T> { value: T; text: string }

// A few choices side by side: radio buttons, so that arrow keys work.
export function Segments<T extends string | number>({ label, value, choices, onChange }: {
  label: string; value: T; choices: Choice<T>[]; onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>{choice.text}</span>
        </label>
      ))}
    </div>
  );
}

// A slider that says in words what its value means.
export function Slider({ label, says, value, min, max, step, onInput, children }: {
  label: string; says: string; value: number; min: number; max: number; step: number;
  onInput: (value: number) => void; children?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <span class="name"><label for={id}>{label}</label><output for={id}>{says}</output></span>
      <input id={id} type="range" min={min} max={max} step={step} value={value} aria-valuetext={says}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)} />
      {children}
    </div>
  );
}

export function Field({ label, children, hint }: { label: string; children: (id: string) => ComponentChildren; hint?: string }) {
  const id = useId();
  return (
    <div class="field">
      <span class="name"><label for={id}>{label}</label></span>
      {children(id)}
      {hint && <span class="soft small">{hint}</span>}
    </div>
  );
}

// A whole number typed in; it is taken when it is one within the bounds.
export function WholeNumber({ id, value, min, max, onChange }: {
  id: string; value: number; min: number; max: number; onChange: (value: number) => void;
}) {
  return (
    <input id={id} type="number" min={min} max={max} step={1} value={value}
      onChange={(event) => {
        const typed = Math.round(event.currentTarget.valueAsNumber);
        if (Number.isFinite(typed)) onChange(Math.min(max, Math.max(min, typed)));
      }} />
  );
}

export function BusyLine({ on }: { on: boolean }) {
  return <div class={on ? 'busy-line on' : 'busy-line'} aria-hidden="true" />;
}

export function Problem({ text }: { text: string | null }) {
  return text ? <p class="notice" role="alert">{text}</p> : null;
}
