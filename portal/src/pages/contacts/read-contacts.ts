import { cleanAddress } from 'bestow-readers/address.ts';
import { unguardFormulas } from 'bestow-readers/formula-sign.ts';
import { createDayReader } from 'bestow-readers/written-day.ts';
import type { DayOrder } from 'bestow-readers/written-time.ts';
import { faultOfText } from '../file/fault-of-text.ts';
import type { Matching } from '../file/match-columns.ts';
import { languageOf, NO_LANGUAGE } from '../file/written-language.ts';
import { type ContactToSave, readTags } from './contact.ts';
import type { ContactColumn } from './contact-headings.ts';

export type ContactCells = Partial<Record<ContactColumn, string>>;

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

/** What a line says. */
export function cellsOf(line: readonly string[], matching: Matching<ContactColumn>): ContactCells {
  const written = Object.entries(matching).map(([column, index]) => [
    column,
    unguardFormulas((line[index] ?? '').trim()).trim(),
  ]);
  return Object.fromEntries(written.filter(([, text]) => text !== ''));
}

export type ReadDay = ReturnType<typeof createDayReader>;

/** A first day of work may be to come; a birthday is over. */
const YEARS_AHEAD = 20;

/** How the days of one file are read. */
export function readersOfDays(order: DayOrder): Record<'birthday' | 'work_anniversary' | 'last_day', ReadDay> {
  const ahead = new Date();
  ahead.setUTCFullYear(ahead.getUTCFullYear() + YEARS_AHEAD);
  const work = createDayReader(order, ahead);
  return { birthday: createDayReader(order), work_anniversary: work, last_day: work };
}

/** Google's own labels, such as `* myContacts`. */
const OF_GOOGLE = /^\* \w+$/;

interface ReadContact {
  contact: ContactToSave;
  /** What was taken away from the address. */
  removed: string[];
}

/** Returns the contact of a row, or its fault if the browser sees one. The server checks every field. */
export function contactOf(
  cells: ContactCells,
  days: ReturnType<typeof readersOfDays>,
): ReadContact | { fault: Fault & { column: ContactColumn } } {
  const fault = faultOfText<ContactColumn>(
    cells,
    (column) => column === 'tags',
    (column) => /name$/.test(column),
  );
  if (fault !== undefined) return { fault };
  const method = cells.email === undefined && cells.phone !== undefined ? 'phone' : 'email';
  const { address, removed } = cleanAddress(method, cells[method] ?? '');
  if (address === '')
    return { fault: { column: method, message: 'Enter an email address, or a phone number in its column.' } };
  const language = cells.language === undefined ? undefined : languageOf(cells.language);
  if (cells.language !== undefined && language === undefined)
    return { fault: { column: 'language', message: NO_LANGUAGE } };
  const contact: ContactToSave = {
    delivery: method === 'email' ? { method, email: address } : { method, phone: address },
  };
  const name = cells.name ?? [cells.first_name, cells.last_name].filter(Boolean).join(' ');
  if (name !== '') contact.name = name;
  if (language !== undefined) contact.language = language;
  if (cells.tags !== undefined) contact.tags = readTags(cells.tags, (tag) => !OF_GOOGLE.test(tag));
  if (cells.external_id !== undefined) contact.external_id = cells.external_id;
  for (const column of ['birthday', 'work_anniversary'] as const) {
    const text = cells[column];
    if (text === undefined) continue;
    const day = days[column](text);
    if (day === undefined)
      return { fault: { column, message: 'Enter a day, such as 1985-03-14, or 03-14 without the year.' } };
    if (day !== null) contact[column] = day;
  }
  return { contact, removed };
}
