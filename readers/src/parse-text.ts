import papaparse from 'papaparse';
import { commonWidth, type Knows, type Line, TableError } from './table.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** Enough lines to see which separator the text has. */
const LINES_TO_COMPARE = 50;

/**
 * Reads separated text (RFC 4180) strictly. A first line such as `sep=;` names the separator; else the one that gives known
 * headings, or else equally long lines, is taken.
 *
 * @throws TableError for more rows than may be, and for text after a closing quotation mark or an end inside a quotation
 */
export function parseText(text: string, knows: Knows, mostRows = Number.POSITIVE_INFINITY): Line[] {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const [named, given] = /^"?sep=([,;\t|])"?\n/i.exec(plain) ?? [''];
  const body = plain.slice(named.length);
  const separator = given ?? findSeparator(body, knows);
  return readLines(body, separator, named === '' ? 1 : 2, mostRows);
}

function findSeparator(text: string, knows: Knows): string {
  const ranked = SEPARATORS.map((separator) => {
    const options = {
      delimiter: separator,
      newline: '\n',
      preview: LINES_TO_COMPARE,
      skipEmptyLines: 'greedy',
    } as const;
    const lines = papaparse.parse<string[]>(text, options).data.map((cells) => ({ cells }));
    const known = Math.max(0, ...lines.slice(0, 10).map(({ cells }) => cells.filter(knows).length));
    const width = commonWidth(lines);
    const even = width > 1 ? lines.filter(({ cells }) => cells.length === width).length : 0;
    return { separator, rank: [known, even, width] };
  });
  ranked.sort(
    (a, b) => b.rank.map((value, at) => value - (a.rank[at] ?? 0)).find((difference) => difference !== 0) ?? 0,
  );
  return ranked[0]?.separator ?? ',';
}

function readLines(text: string, separator: string, firstNumber: number, mostRows: number): Line[] {
  const lines: Line[] = [];
  let [number, start] = [firstNumber, 0];
  let fault: TableError | undefined;
  papaparse.parse<string[]>(text, {
    delimiter: separator,
    newline: '\n',
    step: ({ data, errors, meta: { cursor } }, parser) => {
      const written = text.slice(start, cursor);
      const isBlank = data.every((cell) => cell.trim() === '');
      if (errors.length > 0) fault = faultOf(written, number);
      // One line more has the headings.
      else if (!isBlank && lines.length > mostRows) fault = new TableError(`The file has more than ${mostRows} rows.`);
      if (fault !== undefined) {
        parser.abort();
        return;
      }
      if (!isBlank) lines.push({ number, cells: data, isHidden: false, doubt: doubtOfQuotes(written) });
      number += count(written, '\n');
      start = cursor;
    },
  });
  if (fault !== undefined) throw fault;
  const width = commonWidth(lines);
  return lines.map((line) => ({ ...line, doubt: line.doubt ?? doubtOfBreaks(line, separator, width) }));
}

const count = (text: string, sign: string) => text.split(sign).length - 1;

/** @param written the text from the line with the fault on */
function faultOf(written: string, number: number): TableError {
  // A quotation that ends on its line has an even number of marks there.
  const parts = written.split('\n');
  const at = Math.max(
    0,
    parts.findIndex((part) => part.includes('"')),
  );
  const isOpen = count(parts[at] ?? '', '"') % 2 === 1;
  return new TableError(
    isOpen
      ? `Line ${number + at} opens a quotation that is not closed. Close it, or write each quotation mark twice.`
      : `Line ${number + at} has text after a closing quotation mark. Put the whole cell in quotation marks, and write those inside twice.`,
  );
}

const doubtOfQuotes = (written: string) => (count(written, '"') % 2 === 1 ? 'a single quotation mark' : undefined);

/** A quotation that was closed too late holds other lines of the table. */
function doubtOfBreaks({ cells }: Line, separator: string, width: number): string | undefined {
  const holdsLines = cells
    .filter((cell) => cell.includes('\n'))
    .flatMap((cell) => cell.split('\n'))
    .some((part) => {
      const separators = count(part, separator);
      return separators > 0 && (/\S@\S/.test(part) || (width > 2 && separators >= width - 1));
    });
  return holdsLines ? 'a cell that holds other lines of the table' : undefined;
}
