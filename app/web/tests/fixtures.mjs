// Models for the tests that need more than the demo: names full of markup, and small images. Everything is made
// here from a fixed rule, fitted by the command line into build/browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`;
const table = (header, rows) => [header, ...rows].map((row) => row.map(quoted).join(',')).join('\n') + '\n';

export const hostile = {
  amount: '<img src=x onerror="window.hit=1">',
  colour: '"><script>window.hit=2</script>',
  levels: ['<b>red</b>', '</option><svg onload=window.hit=3>', "'; window.hit=4; //"],
  unit: '<u>kg</u>',
  no: '<i>no</i>',
  yes: '{{yes}}<iframe src=javascript:window.hit=5>',
};

// The score grows with the number; the second level helps.
function hostileModel() {
  const rows = [];
  for (let i = 0; i < 120; ++i) {
    const number = (i * 37) % 101, level = i % 3;
    rows.push([number, hostile.levels[level], number / 20 + (level === 1 ? 1.5 : 0) > 3 ? 'y' : 'n']);
  }
  const model = { format: 'scfe-dense', version: 1, classes: [hostile.no, hostile.yes],
    layers: [{ activation: 'none', weight: [[0.05, 0, 1.5, 0]], bias: [-3] }] };
  const schema = { format: 'scfe-schema', version: 1,
    label: { column: 'label', classes: [{ name: hostile.no, values: ['n'] }, { name: hostile.yes, values: ['y'] }] },
    features: [
      { name: hostile.amount, type: 'integer', range: [0, 100], unit: hostile.unit },
      { name: hostile.colour, type: 'categorical', levels: hostile.levels },
    ] };
  return { model, schema, csv: table([hostile.amount, hostile.colour, 'label'], rows) };
}

// Bars of 8 x 8 pixels: standing or lying. The score is the light in the middle columns less that in the middle lines.
const side = 8;
function imageModel() {
  const names = [], up = [], across = [];
  for (let y = 0; y < side; ++y) for (let x = 0; x < side; ++x) {
    names.push(`y${y}x${x}`);
    up.push(x === 3 || x === 4 ? 0.01 : 0);
    across.push(y === 3 || y === 4 ? 0.01 : 0);
  }
  const rows = [];
  for (let i = 0; i < 160; ++i) {
    const standing = i % 2 === 0;
    rows.push([...names.map((_, j) => {
      const x = j % side, y = Math.floor(j / side), bar = standing ? x === 3 || x === 4 : y === 3 || y === 4;
      return bar ? 170 + ((i * 31 + j * 17) % 86) : (i * 13 + j * 7) % 40;
    }), standing ? 'standing' : 'lying']);
  }
  const model = { format: 'scfe-dense', version: 1, classes: ['lying', 'standing'], layers: [{ activation: 'none', weight: [across, up], bias: [0, 0] }] };
  const schema = { format: 'scfe-schema', version: 1, label: { column: 'label', classes: ['lying', 'standing'] },
    features: names.map((name) => ({ name, type: 'integer', range: [0, 255] })) };
  return { model, schema, csv: table([...names, 'label'], rows) };
}

function fit(scfe, folder, name, { model, schema, csv }) {
  const file = (ending) => join(folder, `${name}.${ending}`);
  writeFileSync(file('json'), JSON.stringify(model));
  writeFileSync(file('schema.json'), JSON.stringify(schema));
  writeFileSync(file('csv'), csv);
  execFileSync(scfe, ['fit', '--model', file('json'), '--data', file('csv'), '--schema', file('schema.json'), '--learned-rules', 'none', '-o', file('scfe')], { stdio: 'pipe' });
  return { scfe: file('scfe'), csv: file('csv') };
}

export function makeFixtures(scfe, folder) {
  mkdirSync(folder, { recursive: true });
  return { hostile: fit(scfe, folder, 'hostile', hostileModel()), images: fit(scfe, folder, 'images', imageModel()) };
}
