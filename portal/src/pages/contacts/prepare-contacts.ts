import type { Line, Sheet } from 'bestow-readers/table.ts';
import { findOrderOfDays } from 'bestow-readers/written-day.ts';
import type { Matching } from '../file/match-columns.ts';
import { type ColumnSetup, type PreparedTable, prepareTable } from '../file/prepare-table.ts';
import type { Answers, FileHabits } from '../file/sheet-answers.ts';
import { type ContactColumn, contactHeadings } from './contact-headings.ts';
import { type ContactCells, cellsOf } from './read-contacts.ts';

/** What a person says about a file of contacts. */
export type ContactSetup = ColumnSetup<ContactColumn>;

export interface PreparedContacts extends PreparedTable<ContactColumn> {
  habits: FileHabits;
  rows: { line: number; cells: ContactCells }[];
  /** Those below the headings that are left out. */
  others: { line: number; cells: ContactCells }[];
}

/** Turns the sheet that a person chose into rows, as far as the file and the answers say what they are. */
export function prepareContacts(
  sheets: readonly [Sheet, ...Sheet[]],
  { answers, matching: chosen }: Pick<ContactSetup, 'answers' | 'matching'>,
): PreparedContacts {
  const table = prepareTable(sheets, answers, chosen, { headings: contactHeadings, act: 'import' });
  const { read, matching } = table;
  const rowOf = ({ number, cells }: Line) => ({ line: number, cells: cellsOf(cells, matching) });
  const rows = read.kept.map(rowOf);
  const kept = new Set(rows.map(({ line }) => line));
  const others = read.table.lines.filter(({ number }) => !kept.has(number)).map(rowOf);
  const days = rows.flatMap(({ cells: { birthday = [], work_anniversary = [], last_day = [] } }) =>
    [birthday, work_anniversary, last_day].flat(),
  );
  const habits: FileHabits = { decimal: '.', dayOrder: findOrderOfDays(days), hasDaysAlone: false };
  return { ...table, habits, rows, others, question: table.question ?? questionOf(matching, habits, answers) };
}

function questionOf(
  { email, phone }: Matching<ContactColumn>,
  { dayOrder }: FileHabits,
  answers: Answers,
): string | undefined {
  if (email === undefined && phone === undefined)
    return 'Choose the column with the email addresses or the phone numbers.';
  return (dayOrder ?? answers.dayOrder) === undefined ? 'Say which number of a date is the day.' : undefined;
}
