import type { Sheet as HucreSheet } from 'hucre';
import { readXlsx } from 'hucre/xlsx';
import { doubtOf, textOf } from './cell-text.ts';
import { leanWorkbook } from './lean-workbook.ts';
import { type Line, type Sheet, TableError } from './table.ts';

/**
 * Reads the sheets of an XLSX workbook that people see and that have rows.
 *
 * @throws TableError with a sentence that says what to save instead
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  const { sheets } = await readLean(bytes).catch((error: unknown) => {
    if (error instanceof TableError) throw error;
    throw new TableError(`This file is ${formOf(bytes)}. Save it as XLSX or as “CSV UTF-8”, and try again.`);
  });
  return sheets
    .filter(({ hidden, veryHidden }) => hidden !== true && veryHidden !== true)
    .map((sheet) => ({ name: sheet.name, lines: linesOf(sheet), hiddenColumns: hiddenOf(sheet) }))
    .filter(({ lines }) => lines.length > 0);
}

const readLean = async (bytes: Uint8Array) => readXlsx(await leanWorkbook(bytes), { readStyles: true });

/** Rows of merged cells, which do not overlap in a sheet that a program saved. */
const MOST_MERGED = 2_000_000;

type MergedCell = NonNullable<HucreSheet['merges']>[number];

/** Names in the directory of a ZIP file, which is not compressed. */
function formOf(bytes: Uint8Array): string {
  const names = new TextDecoder('latin1').decode(bytes);
  if (names.includes('xl/workbook.bin')) return 'a binary Excel workbook (.xlsb)';
  if (names.includes('opendocument.spreadsheet')) return 'an OpenDocument sheet (.ods)';
  if (names.includes('Index/Document.iwa')) return 'a Numbers sheet';
  if (names.includes('word/document.xml')) return 'a Word document';
  return 'a workbook that cannot be read';
}

function linesOf({ rows, cells, rowDefs, merges = [] }: HucreSheet): Line[] {
  const lines = rows.map((row, index): Line => {
    const read = row.map((value, column) => ({ value, cell: cells?.get(`${index},${column}`) }));
    return {
      number: index + 1,
      cells: read.map(({ value, cell }) => textOf(value, cell)),
      isHidden: rowDefs?.get(index)?.hidden === true,
      doubt: read.map(({ value, cell }) => doubtOf(value, cell)).find((doubt) => doubt !== undefined),
    };
  });
  const area = merges.reduce((sum, { startRow, endRow }) => sum + Math.min(endRow, rows.length) - startRow, 0);
  if (area > MOST_MERGED) throw new TableError('This workbook has too many merged cells. Unmerge them, and try again.');
  for (const merge of merges) spread(lines, merge);
  return lines.filter(({ cells, doubt }) => doubt !== undefined || cells.some((cell) => cell.trim() !== ''));
}

/** Notes in each row of a merged cell what the cell shows there. Only the first row holds it. */
function spread(lines: Line[], { startRow, startCol, endRow, endCol }: MergedCell): void {
  const [first, ...below] = lines.slice(startRow, endRow + 1);
  const text = first?.cells[startCol]?.trim() ?? '';
  if (first === undefined || text === '') return;
  if (endCol > startCol) first.doubt ??= 'a cell that is merged over columns';
  for (const line of below) {
    line.merged ??= [];
    line.merged.push({ column: startCol, text, from: first.number });
  }
}

const hiddenOf = ({ columns = [] }: HucreSheet) =>
  columns.flatMap((column, index) => (column?.hidden === true ? index : []));
