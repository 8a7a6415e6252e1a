import type { Sheet as HucreSheet } from 'hucre';
import { readXlsx } from 'hucre/xlsx';
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

/** Names in the directory of a ZIP file, which is not compressed. */
function formOf(bytes: Uint8Array): string {
  const names = new TextDecoder('latin1').decode(bytes);
  if (names.includes('xl/workbook.bin')) return 'a binary Excel workbook (.xlsb)';
  if (names.includes('opendocument.spreadsheet')) return 'an OpenDocument sheet (.ods)';
  if (names.includes('Index/Document.iwa')) return 'a Numbers sheet';
  if (names.includes('word/document.xml')) return 'a Word document';
  return 'a workbook that cannot be read';
}

type Cell = NonNullable<HucreSheet['cells']> extends Map<string, infer Value> ? Value : never;

function linesOf({ rows, cells, rowDefs }: HucreSheet): Line[] {
  const lines = rows.map((row, index): Line => {
    const read = row.map((value, column) => ({ value, cell: cells?.get(`${index},${column}`) }));
    return {
      number: index + 1,
      cells: read.map(({ value, cell }) => textOf(value, cell)),
      isHidden: rowDefs?.get(index)?.hidden === true,
      doubt: read.map(({ cell }) => doubtOf(cell)).find((doubt) => doubt !== undefined),
    };
  });
  return lines.filter(({ cells, doubt }) => doubt !== undefined || cells.some((cell) => cell.trim() !== ''));
}

const hiddenOf = ({ columns = [] }: HucreSheet) =>
  columns.flatMap((column, index) => (column?.hidden === true ? index : []));

function doubtOf(cell: Cell | undefined): string | undefined {
  if (cell?.type === 'formula' && cell.formulaResult === null) return 'a formula without its result';
  return undefined;
}

/** A cell as people see it, but with all decimals: a rounded amount would be another one. */
function textOf(value: HucreSheet['rows'][number][number], cell: Cell | undefined): string {
  if (value === null) return '';
  const format = cell?.style?.numFmt ?? 'General';
  if (value instanceof Date) return timeText(value, format);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? numberText(value, format) : value;
}

/** Excel's times are fractions of a day, which end in …999. The sheet has no time zone. */
function timeText(value: Date, format: string): string {
  const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  return /[hs]/i.test(format.replace(/"[^"]*"|\[\$[^\]]*\]/g, ''))
    ? text.slice(0, 16).replace('T', ' ')
    : text.slice(0, 10);
}

/** Spreadsheet programs write no longer one. */
const LONGEST_FORMAT = 255;

/** The number with the signs that its format puts around it, such as a currency's, and with its leading zeros. */
function numberText(value: number, format: string): string {
  // Sums of a sheet may end in 0.000000001.
  const plain = String(Math.round(value * 1e6) / 1e6);
  const [positive = ''] = format.length > LONGEST_FORMAT ? ['General'] : format.split(';');
  const shown = positive
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/\\(.)/g, '"$1"');
  const [, before = '', digits = '', after = ''] = /^((?:"[^"]*"|[^"0#?])*)([0#?][0#?.,\s]*)(.*)$/.exec(shown) ?? [];
  if (/general|^$/i.test(positive) || digits === '') return plain;
  const unquoted = (text: string) => text.replaceAll('"', '');
  const number = /^0+$/.test(digits) && value >= 0 ? plain.padStart(digits.length, '0') : plain;
  return `${unquoted(before)}${after.includes('%') ? Math.round(value * 1e8) / 1e6 : number}${unquoted(after)}`.trim();
}
