/** A line of a table. Lines without content are left out. */
export interface Line {
  /** As the file or the sheet counts, from 1. */
  number: number;
  cells: string[];
  /** A row that a filter or a person hides in the sheet. */
  isHidden: boolean;
  /** Why the line may say another thing than was meant. */
  doubt: string | undefined;
  /** What merged cells show in this row, whose own cells are empty there. */
  merged?: MergedText[];
}

/** The text of a merged cell in a row below its first. */
interface MergedText {
  column: number;
  text: string;
  /** The number of the line that holds the text. */
  from: number;
}

export interface Sheet {
  name: string;
  lines: Line[];
  /** Indexes of columns that a person hides in the sheet. */
  hiddenColumns: readonly number[];
}

export interface Table {
  headings: string[];
  lines: Line[];
  /** Lines above the headings, such as a title. */
  above: Line[];
}

/** A table that cannot be read. Its message is a sentence for people. */
export class TableError extends Error {
  override name = 'TableError';
}

/** Whether a heading names a column that the caller knows. */
export type Knows = (heading: string) => boolean;

/** Headings are compared without case, accents, punctuation and repeated spaces. */
export const plainHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_\-./:*()’'"]+/g, ' ')
    .trim();

const MOST_ABOVE = 10;
const isData = (cell: string) => /\S@\S/.test(cell) || (/\d/.test(cell) && !/\p{L}/u.test(cell));

/**
 * Finds the line of the headings among the first ten.
 *
 * @returns its index; undefined if a person has to say whether there are headings
 */
export function findHeadings(lines: readonly Line[], knows: Knows): number | undefined {
  const known = lines.slice(0, MOST_ABOVE).map(({ cells }) => (cells.some(isData) ? 0 : cells.filter(knows).length));
  if ((known[0] ?? 0) > 0) return 0;
  const index = known.findIndex((count) => count > 1);
  const hasDataAbove = lines.slice(0, Math.max(index, 0)).some(({ cells }) => cells.some(isData));
  return index > 0 && !hasDataAbove ? index : undefined;
}

/**
 * Splits a sheet into headings and lines. The heading of a hidden column says that it is hidden, so no one takes it for
 * another column of this name.
 *
 * @param headings index of their line; -1 if the table has no headings
 */
export function tableOf({ lines, hiddenColumns }: Sheet, headings: number): Table {
  const rest = lines.slice(headings + 1);
  const own = lines[headings]?.cells ?? Array.from({ length: commonWidth(rest) }, () => '');
  const first = rest[0]?.number ?? 0;
  const note = (index: number) => (hiddenColumns.includes(index) ? ' (hidden in the sheet)' : '');
  return {
    headings: own.map((heading, index) => `${heading.trim()}${note(index)}`.trim()),
    above: lines.slice(0, Math.max(headings, 0)),
    lines: rest.map(({ merged, ...line }) => {
      // A merged heading is no text of a row.
      const inTable = merged?.filter(({ from }) => from >= first) ?? [];
      return {
        ...line,
        cells: line.cells.map((cell) => (SHEET_ERROR.test(cell) ? '' : cell)),
        doubt: line.doubt ?? doubtOfWidth(line, own.length) ?? doubtOfErrors(line),
        ...(inTable.length > 0 && { merged: inTable }),
      };
    }),
  };
}

/** What a sheet shows if a formula fails. */
const SHEET_ERROR = /^\s*#(?:N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!|SPILL!|CALC!)\s*$/;

function doubtOfErrors({ cells }: Line): string | undefined {
  const error = cells.find((cell) => SHEET_ERROR.test(cell));
  return error && `the error ${error.trim()}`;
}

function doubtOfWidth({ cells }: Line, width: number): string | undefined {
  if (cells.length === width) return undefined;
  return `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} instead of ${width}`;
}

/** The number of cells that most lines have. */
export function commonWidth(lines: readonly Pick<Line, 'cells'>[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of lines) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}
