import papaparse from 'papaparse';
import readExcel from 'read-excel-file/browser';

export const MOST_ROWS = 10_000;
/** Larger files would block the browser. */
const MOST_BYTES = 20_000_000;

export interface Table {
  name: string;
  headings: string[];
  lines: string[][];
}

/** Parses a CSV or XLSX file in the browser. @throws Error with a sentence for the person */
export async function readTable(file: File): Promise<Table> {
  if (file.size > MOST_BYTES) throw new Error('This file is too large. Split it into files of at most 20 MB.');
  if (/\.xlsx$/i.test(file.name)) return tableOf(file.name, await readSheet(file));
  if (/\.(xls|ods|numbers)$/i.test(file.name)) throw new Error('Save the sheet as XLSX or CSV, and try again.');
  return parseText(file.name, new TextDecoder().decode(await file.arrayBuffer()));
}

/** Parses text that was pasted, also cells of a spreadsheet. @throws Error with a sentence for the person */
export const parseText = (name: string, text: string): Table =>
  tableOf(name, papaparse.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: 'greedy' }).data);

async function readSheet(file: File): Promise<string[][]> {
  const sheets = await readExcel(file).catch(() => {
    throw new Error('This file could not be read. Save it again as XLSX or CSV.');
  });
  const [first] = sheets;
  return (first?.data ?? []).map((row) => row.map(textOf));
}

/** A cell as people see it. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  // The sheet has no time zone.
  if (cell instanceof Date) return cell.toISOString().slice(0, 16).replace('T', ' ');
  // Sums of a sheet may end in 0.000000001.
  return typeof cell === 'number' ? String(Math.round(cell * 1e6) / 1e6) : String(cell);
}

function tableOf(name: string, rows: readonly string[][]): Table {
  const [headings = [], ...lines] = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  if (lines.length === 0) throw new Error('There are no rows. The first line must name the columns.');
  if (lines.length > MOST_ROWS) throw new Error(`There are ${lines.length} rows. Send at most ${MOST_ROWS} at a time.`);
  return {
    name: name.trim().slice(0, 200) || 'Pasted rows',
    headings: headings.map((heading) => heading.trim()),
    lines,
  };
}
