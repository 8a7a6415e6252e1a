import type { Encoding, Reading } from './decode.ts';
import { openFile } from './read-file.ts';
import { type Knows, type Sheet, TableError } from './table.ts';

/**
 * Reads a file as text with separators, for those who read the text themselves; lines keep their numbers. A workbook may
 * have only one sheet with rows, and no hidden rows: nothing is left out in silence.
 *
 * @returns the text; or, if the file is not Unicode, the ways to read it
 * @throws TableError with a sentence for people
 */
export async function tableText(
  bytes: Uint8Array,
  knows: Knows,
  encoding?: Encoding,
): Promise<{ text: string } | { readings: Reading[] }> {
  const opened = await openFile(bytes, knows, encoding);
  if ('readings' in opened) return opened;
  const [sheet, ...others] = opened.sheets;
  if (others.length > 0)
    throw new TableError('The workbook has several sheets. Save the sheet that you mean as a file of its own.');
  const hidden = sheet.lines.find(({ isHidden }) => isHidden);
  if (hidden !== undefined)
    throw new TableError(`Row ${hidden.number} is hidden in the sheet. Show it, or delete it, and try again.`);
  const column = sheet.hiddenColumns.find((index) =>
    sheet.lines.some(({ cells }) => (cells[index] ?? '').trim() !== ''),
  );
  if (column !== undefined)
    throw new TableError(`Column ${column + 1} is hidden in the sheet. Show it, or delete it, and try again.`);
  const doubtful = sheet.lines.find(({ doubt }) => doubt !== undefined);
  if (doubtful !== undefined) throw new TableError(`Line ${doubtful.number} has ${doubtful.doubt}.`);
  const merged = sheet.lines.find((line) => line.merged !== undefined);
  if (merged !== undefined)
    throw new TableError(`Row ${merged.number} has a part of a merged cell. Unmerge the cells, and try again.`);
  return { text: await write(sheet) };
}

async function write({ lines }: Sheet): Promise<string> {
  const { default: papaparse } = await import('papaparse');
  const last = lines.at(-1)?.number ?? 0;
  const rows = Array.from({ length: last }, (): string[] => []);
  for (const { number, cells } of lines) rows[number - 1] = cells;
  return papaparse.unparse(rows, { newline: '\n' });
}
