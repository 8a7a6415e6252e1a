import { BestowError } from '../base/errors.ts';

interface Columns<Name extends string> {
  all: readonly Name[];
  required: readonly Name[];
  /** Whether the table may have others, which are left out. */
  mayHaveOthers: boolean;
}

interface TableRow<Name extends string> {
  /** The line of the text, from 1. */
  line: number;
  /** Without spaces around it; empty if the table has no such column. */
  read: (name: Name) => string;
}

/** A file of this many rows has about 400 kB. */
const MAX_ROWS = 10_000;

/**
 * Reads a table of at most 10,000 rows that a customer or the operator uploads, strictly: a line that may say another thing
 * than was meant refuses the whole table.
 *
 * @param text with separators, as `bestow-readers/table-text.ts` makes it of a file
 * @throws BestowError `parameter_invalid` that names the line
 */
export async function readTable<Name extends string>(text: string, columns: Columns<Name>): Promise<TableRow<Name>[]> {
  // Loaded when the first table comes.
  const [{ openText }, { findHeadings, plainHeading, TableError, tableOf }] = await Promise.all([
    import('bestow-readers/read-file.ts'),
    import('bestow-readers/table.ts'),
  ]);
  const isSame = (heading: string) => (other: string) => plainHeading(other) === plainHeading(heading);
  const known = new Map(columns.all.map((name) => [plainHeading(name), name]));
  const knows = (heading: string) => known.has(plainHeading(heading));
  let sheet: ReturnType<typeof openText>['sheets'][0];
  try {
    [sheet] = openText(text, knows, MAX_ROWS).sheets;
  } catch (error) {
    throw error instanceof TableError ? refusalOf(error.message) : error;
  }
  const at = findHeadings(sheet.lines, knows) ?? 0;
  const { headings, lines } = tableOf(sheet, at);
  const place = `Line ${sheet.lines[at]?.number ?? 1}`;
  const strange = headings.find((heading) => heading !== '' && !knows(heading));
  if (strange !== undefined && !columns.mayHaveOthers)
    throw refusalOf(`${place}: there is no column “${strange}”. The columns are ${columns.all.join(', ')}.`);
  const repeated = headings.find((heading, index) => knows(heading) && headings.findIndex(isSame(heading)) < index);
  if (repeated !== undefined) throw refusalOf(`${place}: the column ${repeated} is there twice.`);
  const indexes = new Map(headings.map((heading, index) => [known.get(plainHeading(heading)), index]));
  const missing = columns.required.find((name) => !indexes.has(name));
  if (missing !== undefined) throw refusalOf(`${place}: the column ${missing} is missing.`);
  if (lines.length === 0) throw refusalOf('The file has no lines after the headings.');
  return lines.map(({ number: line, cells, doubt }) => {
    if (doubt !== undefined) throw refusalOf(`Line ${line} has ${doubt}.`);
    const stray = cells.findIndex((cell, index) => headings[index] === '' && cell.trim() !== '');
    if (stray !== -1 && !columns.mayHaveOthers)
      throw refusalOf(`Line ${line} has text in column ${stray + 1}, which has no heading.`);
    for (const name of columns.all) refuseSigns(line, name, cells[indexes.get(name) ?? -1] ?? '');
    return { line, read: (name) => (cells[indexes.get(name) ?? -1] ?? '').trim() };
  });
}

/** Every cell is one line of letters that can be seen. */
function refuseSigns(line: number, name: string, text: string): void {
  if (/[\r\n]/.test(text)) throw refusalOf(`Line ${line}: ${name} must be on one line.`);
  if (text.includes('\ufffd') || !text.isWellFormed())
    throw refusalOf(`Line ${line}: ${name} has the sign �, which stands for letters that were lost. Write it again.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: damaged files have them
  if (/[\0-\x1f\x7f-\x9f]/.test(text.replaceAll('\t', '')))
    throw refusalOf(`Line ${line}: ${name} has a character that cannot be seen. Write it again.`);
}

export const refusalOf = (message: string): BestowError =>
  new BestowError('parameter_invalid', { param: 'csv', message });
