import type { Encoding } from 'bestow-readers/decode.ts';
import { openFile } from 'bestow-readers/read-file.ts';
import { type Answers, noAnswers } from '../../src/pages/file/sheet-answers.ts';
import { giftOfRow } from '../../src/pages/many/columns.ts';
import { giftHeadings } from '../../src/pages/many/headings.ts';
import { prepareRows, readerOf } from '../../src/pages/many/prepare-rows.ts';

const categories = [
  { category_id: 'coffee', name: 'Coffee' },
  { category_id: 'books', name: 'Books' },
];

type Gift = Extract<ReturnType<typeof giftOfRow>, { gift: unknown }>['gift'];

/** What the page makes of a file, as far as the browser goes. */
export interface ReadFile {
  /** Words of the encodings from which a person chooses. */
  letters: string[];
  sheets: string[];
  /** What a person has to say, one after the other. */
  questions: string[];
  gifts: { line: number; gift: Gift; removed: string[] }[];
  marks: { line: number; column: string; message: string }[];
  leftOut: string[];
  unused: string[];
}

export interface GivenAnswers extends Partial<Answers> {
  encoding?: Encoding;
  currency?: string;
}

/**
 * Reads a file of gifts as the page does, with the same functions.
 *
 * @param given answers of a person; an open question ends the reading
 * @throws TableError with the sentence for the person
 */
export async function readGifts(bytes: Uint8Array, given: GivenAnswers = {}): Promise<ReadFile> {
  const { encoding, currency = 'USD', ...chosen } = given;
  const read: ReadFile = { letters: [], sheets: [], questions: [], gifts: [], marks: [], leftOut: [], unused: [] };
  let opened = await openFile(bytes, giftHeadings.isKnown);
  if ('readings' in opened) {
    read.letters = opened.readings.map(({ encoding: name, sample }) => `${name}: ${sample}`);
    if (encoding === undefined) return read;
    opened = await openFile(bytes, giftHeadings.isKnown, encoding);
  }
  if ('readings' in opened) throw new Error('The encoding was not used.');
  read.sheets = opened.sheets.map(({ name }) => name);
  const answers = { ...noAnswers, ...chosen };
  const prepared = prepareRows(opened.sheets, { answers, matching: undefined, defaults: {} });
  if (prepared.question !== undefined) return { ...read, questions: [prepared.question] };
  const marks = { currency, organizationName: 'Analytical Engines', organizationLanguage: null };
  const reader = readerOf(prepared, answers, marks, categories);
  read.leftOut = prepared.read.leftOut.map(({ line, why }) => `${line} ${why}`);
  read.unused = prepared.unused;
  for (const { line, cells } of prepared.rows) {
    const found = giftOfRow(cells, reader);
    if ('gift' in found) read.gifts.push({ line, ...found });
    else read.marks.push({ line, ...found.fault });
  }
  return read;
}
