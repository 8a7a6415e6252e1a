import { decode, type Encoding, isZip, type Reading } from './decode.ts';
import { parseText } from './parse-text.ts';
import { type Knows, type Sheet, TableError } from './table.ts';

/** Larger files would block a browser. */
const MOST_BYTES = 20_000_000;

/** The sheets of a file, of which text has one; or the ways to read its letters, from which a person chooses. */
export type OpenedFile = { sheets: [Sheet, ...Sheet[]] } | { readings: Reading[] };

/**
 * Opens a table: XLSX, or text with separators in UTF-8, UTF-16 or an encoding that a person chose.
 *
 * @throws TableError with a sentence for people
 */
export async function openFile(bytes: Uint8Array, knows: Knows, encoding?: Encoding): Promise<OpenedFile> {
  if (bytes.length > MOST_BYTES) throw new TableError('This file is too large. Split it into files of at most 20 MB.');
  if (isZip(bytes)) {
    // Loaded when it is needed: most files are text.
    const { readWorkbook } = await import('./read-workbook.ts');
    return { sheets: withRows(await readWorkbook(bytes)) };
  }
  const decoded = decode(bytes, encoding);
  return 'readings' in decoded ? decoded : openText(decoded.text, knows);
}

/** Opens text with separators, or cells that were copied from a sheet. @throws TableError with a sentence for people */
export const openText = (text: string, knows: Knows, mostRows?: number): { sheets: [Sheet, ...Sheet[]] } => ({
  sheets: withRows([{ name: '', lines: parseText(text, knows, mostRows), hiddenColumns: [] }]),
});

function withRows([first, ...others]: Sheet[]): [Sheet, ...Sheet[]] {
  if (first === undefined || first.lines.length === 0) throw new TableError('There are no rows in this file.');
  return [first, ...others];
}
