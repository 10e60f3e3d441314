// Chooses the row to begin with: an example, a row of one's own file, or a typical one.
import type { Example, Model, Row } from '../contract.ts';
import { rowOf, type Sheet } from '../csv.ts';
import type { Names } from '../words.ts';
import { Icon } from './icons.tsx';

export interface Start { key: string; title: string; cells: Row }

export interface RowFile { name: string; text: string; sheet: Sheet }
export const rowsToChoose = 1000;

export function startsOf(model: Model, examples: Example[], file: RowFile | null, names: Names): Start[] {
  const given = (file?.sheet.rows ?? []).map((_, i) => ({ key: `file ${i}`, title: `${file?.name ?? ''}, row ${i + 1}`, cells: rowOf(file?.sheet ?? { header: [], rows: [] }, i, model.features) }));
  const shown = examples.map((e) => ({
    key: `example ${e.row}`, title: `${names.one} ${e.row}${e.class === null ? '' : `: ${names.class(e.class)}`}`, cells: e.cells,
  }));
  return [...given, ...shown, { key: 'start', title: `A typical ${names.one.toLowerCase()}`, cells: model.start }];
}

export function Chooser({ starts, chosen, onChoose }: { starts: Start[]; chosen: string; onChoose: (start: Start) => void }) {
  const at = starts.findIndex((s) => s.key === chosen);
  const go = (i: number) => { const start = starts[i]; if (start) onChoose(start); };
  return (
    <div class="chooser">
      <button type="button" class="icon" aria-label="Previous" title="Previous" disabled={at <= 0} onClick={() => go(at - 1)}><Icon name="back" /></button>
      <select aria-label="Begin with" value={chosen} onChange={(e) => go(e.currentTarget.selectedIndex)}>
        {starts.map((s) => <option key={s.key} value={s.key}>{s.title}</option>)}
      </select>
      <button type="button" class="icon" aria-label="Next" title="Next" disabled={at < 0 || at >= starts.length - 1} onClick={() => go(at + 1)}><Icon name="next" /></button>
    </div>
  );
}
