import { TableError } from './table.ts';
import { pack, partsOf, unpack, type ZipPart } from './zip.ts';

/** Of all parts that say what is in the sheets. */
const MOST_BYTES = 100_000_000;
const MOST_ROWS = 100_000;
const MOST_COLUMNS = 500;
/** Of the rectangles from A1 to the last cells: each of their places becomes a cell. */
const MOST_CELLS = 2_000_000;
const MOST_PARTS = 10_000;

/** What sheets look like, and what stands on them: pictures, comments, charts. */
const NOT_READ =
  /^xl\/(?:theme|drawings|charts|media|pivot\w*|slicers?|slicerCaches|externalLinks|persons|threadedComments|tables|worksheets\/_rels)\/|\.(?!xml$|rels$)\w+$/i;

/**
 * Makes a workbook without what would cost time and shows nothing, and refuses one that is too large, before it is read:
 * a formatted empty cell in the last row of a sheet would make a million rows.
 *
 * @throws TableError with a sentence for people
 * @throws RangeError if it is damaged
 */
export async function leanWorkbook(bytes: Uint8Array): Promise<Uint8Array> {
  const parts = partsOf(bytes).filter(({ name }) => !NOT_READ.test(name));
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size > MOST_BYTES || parts.length > MOST_PARTS)
    throw tooLarge('This workbook is too large: what is in its sheets has more than 100 MB.');
  const read = new Map<string, Uint8Array>();
  let cells = 0;
  for (const part of parts) {
    const { content, places } = await leanPart(part);
    cells += places;
    if (cells > MOST_CELLS) throw tooLarge('This workbook is too large: its sheets span more than 2,000,000 cells.');
    read.set(part.name, content);
  }
  return pack(read);
}

const tooLarge = (what: string) => new TableError(`${what} Copy the table to a new workbook, and try again.`);

async function leanPart(part: ZipPart): Promise<{ content: Uint8Array; places: number }> {
  const content = await unpack(part);
  const xml = new TextDecoder().decode(content);
  const lean = withoutLongFormats(withoutEmpty(xml));
  return { content: lean === xml ? content : new TextEncoder().encode(lean), places: placesOf(lean) };
}

const PREFIX = '(?:[^\\s<>/:]+:)?';
const all = (pattern: string) => new RegExp(pattern.replaceAll('PREFIX', PREFIX), 'g');
/** Without its own place, a cell stands beside the cell before it. */
const WITHOUT_PLACE = all('<PREFIX(?:c|row)(?![^<>]*\\sr\\s*=)(?=[\\s/>])');
const EMPTY_CELLS = all('<PREFIXc\\s[^<>]*(?:/>|>(?:<PREFIXv/>|<PREFIXv></PREFIXv>)?</PREFIXc>)');
const EMPTY_ROWS = all('<PREFIXrow\\s[^<>]*(?:/>|></PREFIXrow>)');

const isSheet = (xml: string) => xml.includes('sheetData');

/** A comment, or text that is quoted, may look like a cell. */
const withoutEmpty = (xml: string): string =>
  !isSheet(xml) || xml.includes('<!') || xml.search(WITHOUT_PLACE) !== -1
    ? xml
    : xml.replaceAll(EMPTY_CELLS, '').replaceAll(EMPTY_ROWS, '');

/** Spreadsheet programs write at most 255 characters, each in at most six. */
const withoutLongFormats = (xml: string): string =>
  xml.includes('numFmts') ? xml.replaceAll(/\bformatCode\s*=\s*"[^"]{1531,}"/g, 'formatCode="General"') : xml;

const PLACED = all('<PREFIX(c|row|col)(?=[\\s/>])([^<>]*)>');
const REFERENCE = /\sr\s*=\s*["']([A-Za-z]{0,4})(\d{1,7})["']/;

/** The size of the rectangle from A1 to the last cell of a sheet. */
function placesOf(xml: string): number {
  if (!isSheet(xml)) return 0;
  let [row, column, rows, columns, widths] = [0, 0, 0, 0, 0];
  for (const [, kind, attributes = ''] of xml.matchAll(PLACED)) {
    const [, letters, digits] = referenceOf(attributes);
    if (kind === 'col') widths += widthOf(attributes);
    else if (kind === 'row') [row, column] = [Number(digits ?? row + 1), 0];
    else {
      column = letters ? columnOf(letters) : column + 1;
      if (digits !== undefined) row = Number(digits);
      [rows, columns] = [Math.max(rows, row), Math.max(columns, column)];
    }
    if (widths > MOST_WIDTHS) throw tooLarge('This workbook is too large: a sheet has too many columns.');
    if (rows > MOST_ROWS) throw tooLarge(`A sheet has something in row ${row}; at most 100,000 rows are read.`);
    if (columns > MOST_COLUMNS)
      throw tooLarge(`A sheet has something in column ${letters ?? column}; at most 500 columns are read.`);
  }
  return rows * columns;
}

function referenceOf(attributes: string): readonly string[] {
  const found = REFERENCE.exec(attributes);
  if (found === null && /\sr\s*=/.test(attributes)) throw new RangeError('A cell has an unknown place.');
  return found ?? [];
}

const ALL_COLUMNS = 16_384;
/** A sheet names each column once. */
const MOST_WIDTHS = 100_000;

const ENDS = [/\smin\s*=\s*["'](\d+)["']/, /\smax\s*=\s*["'](\d+)["']/];

function widthOf(attributes: string): number {
  const [first = 0, last = 0] = ENDS.map((end) => Number(end.exec(attributes)?.[1]));
  return Math.min(last - first + 1 || ALL_COLUMNS, ALL_COLUMNS);
}

const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
