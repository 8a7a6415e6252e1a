import { cleanAddress } from 'bestow-readers/address.ts';
import { findHeadings, type Line, plainHeading, type Sheet, TableError, tableOf } from 'bestow-readers/table.ts';
import { createDayReader, findOrderOfDays } from 'bestow-readers/written-day.ts';
import type { DayOrder } from 'bestow-readers/written-time.ts';
import { languageChoices } from '../../ui/languages.ts';
import { type ContactToSave, readTags } from './contact.ts';
import { type ContactColumn, columnOf } from './contact-headings.ts';

export const MOST_ROWS = 10_000;

type Cells = Partial<Record<ContactColumn, string>>;

export interface Fault {
  /** Null: of the whole row. */
  column: string | null;
  message: string;
}

/** A row of the file, as a contact or with its fault. */
export interface ContactRow {
  /** As the file counts. */
  line: number;
  contact?: ContactToSave;
  fault?: Fault;
}

export interface ContactFile {
  rows: { line: number; cells: Cells }[];
  /** Undefined if a person has to say which number is the day. */
  dayOrder: DayOrder | undefined;
  /** Headings of columns that are not used. */
  unused: string[];
}

/** Finds the columns by their headings. @throws TableError with a sentence for people */
export function openContacts(sheet: Sheet): ContactFile {
  const headings = findHeadings(sheet.lines, (heading) => columnOf(heading) !== undefined);
  const table = tableOf(sheet, headings ?? -1);
  const found = new Map<ContactColumn, number>();
  for (const [index, heading] of table.headings.entries()) {
    const column = columnOf(heading);
    if (column !== undefined && !found.has(column)) found.set(column, index);
  }
  if (!found.has('email') && !found.has('phone'))
    throw new TableError('The first line must name the columns, one of them “Email” or “Phone”.');
  if (table.lines.length === 0) throw new TableError('There are no rows in this file.');
  if (table.lines.length > MOST_ROWS)
    throw new TableError(`There are ${table.lines.length} rows. Import at most ${MOST_ROWS} at a time.`);
  const rows = table.lines.map((line) => ({ line: line.number, cells: cellsOf(line, found) }));
  const days = rows.flatMap(({ cells: { birthday = [], work_anniversary = [] } }) =>
    [birthday, work_anniversary].flat(),
  );
  const used = new Set(found.values());
  return {
    rows,
    dayOrder: findOrderOfDays(days),
    unused: table.headings.filter((heading, index) => heading !== '' && !used.has(index)),
  };
}

function cellsOf({ cells }: Line, found: ReadonlyMap<ContactColumn, number>): Cells {
  const written: Cells = {};
  for (const [column, index] of found) {
    const text = (cells[index] ?? '').trim();
    if (text !== '') written[column] = text;
  }
  return written;
}

/** Reads the rows as far as the browser can; the server checks every field. An address that comes again is a fault. */
export function readRows({ rows }: ContactFile, dayOrder: DayOrder): ContactRow[] {
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const read = contactOf(cells, createDayReader(dayOrder));
    if ('message' in read) return { line, fault: read };
    const address = (read.delivery.method === 'email' ? read.delivery.email : read.delivery.phone).toLowerCase();
    const earlier = seen.get(address);
    if (earlier !== undefined) return { line, fault: { column: null, message: `Line ${earlier} has this address.` } };
    seen.set(address, line);
    return { line, contact: read };
  });
}

function contactOf(cells: Cells, readDay: ReturnType<typeof createDayReader>): ContactToSave | Fault {
  const fault = faultOfText(cells);
  if (fault !== undefined) return fault;
  const method = cells.email === undefined ? 'phone' : 'email';
  const { address } = cleanAddress(method, cells[method] ?? '');
  if (address === '') return { column: 'email', message: 'Enter an email address or a phone number.' };
  const language = cells.language === undefined ? undefined : languageOf(cells.language);
  if (cells.language !== undefined && language === undefined)
    return { column: 'language', message: 'Enter one of the ten languages, such as de or German.' };
  const contact: ContactToSave = {
    delivery: method === 'email' ? { method, email: address } : { method, phone: address },
  };
  const name = cells.name ?? [cells.first_name, cells.last_name].filter(Boolean).join(' ');
  if (name !== '') contact.name = name;
  if (language !== undefined) contact.language = language;
  if (cells.tags !== undefined) contact.tags = readTags(cells.tags);
  if (cells.external_id !== undefined) contact.external_id = cells.external_id;
  for (const column of ['birthday', 'work_anniversary'] as const) {
    const text = cells[column];
    if (text === undefined) continue;
    const day = readDay(text);
    if (day === undefined) return { column, message: 'Enter a day, such as 1985-03-14, or 03-14 without the year.' };
    if (day !== null) contact[column] = day;
  }
  return contact;
}

/** Signs of a file that was read wrong. */
function faultOfText(cells: Cells): Fault | undefined {
  const lost = Object.entries(cells).find(([, text]) => text.includes('\ufffd'));
  return lost && { column: lost[0], message: 'The sign � stands for letters that were lost. Write the text again.' };
}

/** Finds a language by its tag or its English name. */
function languageOf(text: string): NonNullable<ContactToSave['language']> | undefined {
  const wanted = plainHeading(text);
  return languageChoices('').find(
    ({ value, label }) => value !== '' && [value, value.split('-')[0] ?? '', label].map(plainHeading).includes(wanted),
  )?.value as NonNullable<ContactToSave['language']> | undefined;
}
