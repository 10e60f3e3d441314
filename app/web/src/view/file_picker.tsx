// Takes a CSV file of the user's own, by button or by drag and drop; it never leaves for elsewhere than the engine.
import { useState } from 'preact/hooks';
import type { Example, Model } from '../contract.ts';
import { readSheet, toCsv } from '../csv.ts';
import { count, type Names } from '../words.ts';
import { rowsToChoose, type RowFile } from './chooser.tsx';

export function fileOf(name: string, text: string): RowFile {
  return { name, text, sheet: readSheet(text, rowsToChoose) };
}

function examplesFile(model: Model, examples: Example[], names: Names): RowFile {
  const header = model.features.map((f) => f.name);
  return fileOf(`example ${names.many}.csv`, toCsv(header, examples.map((e) => header.map((name) => e.cells[name] ?? null))));
}

export function FilePicker({ model, examples, names, file, onFile }: {
  model: Model; examples: Example[]; names: Names; file: RowFile | null; onFile: (file: RowFile) => void;
}) {
  const [over, setOver] = useState(false);
  const take = async (given: File | undefined) => { if (given) onFile(fileOf(given.name, await given.text())); };
  return (
    <div class={over ? 'drop over' : 'drop'} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(e) => { e.preventDefault(); setOver(false); void take(e.dataTransfer?.files[0]); }}>
      <label for="csv-file">A table of {names.many}, as CSV</label>
      <input id="csv-file" type="file" accept=".csv,text/csv" onChange={(e) => void take(e.currentTarget.files?.[0])} />
      <p class="soft small">One line for each, with the names of the features on top. You can also drop it here.</p>
      {examples.length > 0 && <button type="button" onClick={() => onFile(examplesFile(model, examples, names))}>Use the {count(examples.length, 'example', 'examples')}</button>}
      {file && <p role="status" class="break"><b>{file.name}</b>, {file.sheet.rows.length >= rowsToChoose ? `${rowsToChoose} or more` : file.sheet.rows.length} rows</p>}
    </div>
  );
}
