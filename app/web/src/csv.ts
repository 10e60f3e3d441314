// Reads CSV as RFC 4180 has it: for choosing a row of one's own file and naming its columns. The engine reads
// the file itself; this is not a second opinion on it.
import type { Feature, Row } from './contract.ts';

export function parseCsv(text: string, most = Infinity): string[][] {
  const rows: string[][] = [];
  let row: string[] = [], cell = '', quoted = false, began = false;
  const endCell = () => { row.push(cell); cell = ''; began = false; };
  const endRow = () => { endCell(); if (row.length > 1 || row[0] !== '') rows.push(row); row = []; };
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length && rows.length < most; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') { cell += '"'; ++i; } else quoted = false;
    } else if (c === '"' && !began) { quoted = true; began = true; }
    else if (c === ',') endCell();
    else if (c === '\n') endRow();
    else if (c !== '\r') { cell += c; began = true; }
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow();
  return rows;
}

export interface Sheet { header: string[]; rows: string[][] }

export function readSheet(text: string, most: number): Sheet {
  const [header = [], ...rows] = parseCsv(text, most + 1);
  return { header: header.map((name) => name.trim()), rows };
}

// The cells of the model's features; columns that the file lacks are missing cells.
export function rowOf(sheet: Sheet, index: number, features: Feature[]): Row {
  const cells = sheet.rows[index] ?? [];
  return Object.fromEntries(features.map((f) => [f.name, typed(f, cells[sheet.header.indexOf(f.name)] ?? '')]));
}

function typed(feature: Feature, text: string): Row[string] {
  if (text === '') return null;
  if (feature.levels) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

export function toCsv(header: string[], rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null) => {
    const text = String(value ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [header, ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n';
}
