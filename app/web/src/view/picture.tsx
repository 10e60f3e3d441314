// Rows whose features are pixels, drawn: grey levels as they are, changed pixels ringed by colour.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cell, Feature, Picture, Plan, Row } from '../contract.ts';
import { number, type Names } from '../words.ts';

const scale = 12;

type Ink = { up: string; down: string };
function inkOf(canvas: HTMLCanvasElement): Ink {
  const style = getComputedStyle(canvas);
  return { up: style.getPropertyValue('--pixel-up') || '#2f9bd0', down: style.getPropertyValue('--pixel-down') || '#e08a3c' };
}

function grey(value: Cell, image: Picture): string {
  const [lo, hi] = image.range, share = (Number(value) - lo) / (hi - lo || 1);
  const level = Math.round(255 * Math.min(1, Math.max(0, share)));
  return `rgb(${level} ${level} ${level})`;
}

interface DrawProps {
  image: Picture;
  features: Feature[];
  row: Row;
  was?: Row; // changed pixels are marked against it
  label: string;
  chosen?: number;
  onPick?: (index: number) => void;
}

export function Drawing({ image, features, row, was, label, chosen, onPick }: DrawProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current, pen = canvas?.getContext('2d');
    if (!canvas || !pen) return;
    const ink = inkOf(canvas);
    features.forEach((feature, i) => {
      const x = (i % image.width) * scale, y = Math.floor(i / image.width) * scale;
      const now = Number(row[feature.name]), before = was ? Number(was[feature.name]) : now;
      pen.fillStyle = grey(row[feature.name] ?? 0, image);
      pen.fillRect(x, y, scale, scale);
      if (now !== before) {
        pen.strokeStyle = now > before ? ink.up : ink.down;
        pen.lineWidth = 3;
        pen.strokeRect(x + 1.5, y + 1.5, scale - 3, scale - 3);
      }
      if (i === chosen) {
        pen.strokeStyle = '#e0457b';
        pen.lineWidth = 2;
        pen.strokeRect(x + 1, y + 1, scale - 2, scale - 2);
      }
    });
  }, [image, features, row, was, chosen]);
  const pick = (event: PointerEvent & { currentTarget: HTMLCanvasElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * image.width), y = Math.floor(((event.clientY - box.top) / box.height) * image.height);
    if (x >= 0 && y >= 0 && x < image.width && y < image.height) onPick?.(y * image.width + x);
  };
  return (
    <canvas ref={ref} width={image.width * scale} height={image.height * scale} role="img" aria-label={label}
      class={onPick ? 'editable' : ''} onPointerDown={onPick ? pick : undefined} />
  );
}

export function PlanPictures({ image, features, row, plan, names }: { image: Picture; features: Feature[]; row: Row; plan: Plan; names: Names }) {
  const up = plan.changes.filter((c) => Number(c.to) > Number(c.from)).length, down = plan.changes.length - up;
  return (
    <div class="images">
      <figure><Drawing image={image} features={features} row={row} label="before" /><figcaption>before</figcaption></figure>
      <figure>
        <Drawing image={image} features={features} row={plan.counterfactual} was={row} label={`after: ${up} pixels brighter, ${down} darker`} />
        <figcaption>after: {names.class(plan.target)}</figcaption>
      </figure>
      <p class="soft small legend"><span class="ring up" /> {up} brighter <span class="ring down" /> {down} darker</p>
    </div>
  );
}

// Click a pixel, then set its grey level; or give its place with the keyboard.
export function PictureEditor({ image, features, row, original, onValue }: {
  image: Picture; features: Feature[]; row: Row; original: Row; onValue: (name: string, value: Cell) => void;
}) {
  const [chosen, setChosen] = useState(Math.floor(image.height / 2) * image.width + Math.floor(image.width / 2));
  const feature = features[chosen], x = chosen % image.width, y = Math.floor(chosen / image.width);
  if (!feature) return null;
  const [lo, hi] = image.range, value = Number(row[feature.name]);
  const place = (px: number, py: number) => { if (px >= 0 && py >= 0 && px < image.width && py < image.height) setChosen(py * image.width + px); };
  return (
    <div class="stack">
      <Drawing image={image} features={features} row={row} was={original} chosen={chosen} onPick={setChosen} label="The image; click a pixel to change it" />
      <div class="limit-ends">
        <label>column<input type="number" min={0} max={image.width - 1} value={x} onInput={(e) => place(e.currentTarget.valueAsNumber, y)} /></label>
        <label>line<input type="number" min={0} max={image.height - 1} value={y} onInput={(e) => place(x, e.currentTarget.valueAsNumber)} /></label>
      </div>
      <div class="field">
        <span class="name"><label for="grey">Brightness of this pixel</label><output>{number(value)}</output></span>
        <input id="grey" type="range" min={lo} max={hi} step={feature.step ?? 'any'} value={value}
          onInput={(e) => onValue(feature.name, Number(e.currentTarget.valueAsNumber.toPrecision(6)))} />
      </div>
    </div>
  );
}
