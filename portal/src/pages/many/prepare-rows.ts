import type { Sheet } from 'bestow-readers/table.ts';
import type { Matching } from '../file/match-columns.ts';
import { type PreparedTable, prepareTable } from '../file/prepare-table.ts';
import { type Answers, noAnswers } from '../file/sheet-answers.ts';
import type { MarkScope } from '../gift-form/fill-message.ts';
import { type Cells, cellsOf, createRowReader, type Defaults, findHabits, type RowReader } from './columns.ts';
import { type ColumnName, giftHeadings } from './headings.ts';

/** What a person says about a file. */
export interface Setup {
  answers: Answers;
  /** Undefined: by the headings. */
  matching: Matching<ColumnName> | undefined;
  /** What rows have that the file leaves empty. */
  defaults: Defaults;
}

/** What a person says about a file before its rows are checked. */
export interface MatchSetup extends Setup {
  /** Whether the choices about columns are of an earlier file. */
  isRecalled: boolean;
  /** When the gifts are sent, as the field writes it; undefined: now. */
  time: string | undefined;
  /** The id of the template that filled what rows leave empty, or empty. */
  template: string;
}

export const newSetup: MatchSetup = {
  answers: noAnswers,
  matching: undefined,
  isRecalled: false,
  defaults: {},
  time: undefined,
  template: '',
};

export interface PreparedRows extends PreparedTable<ColumnName> {
  habits: ReturnType<typeof findHabits>;
  rows: { line: number; cells: Cells }[];
}

/** Turns the sheet that a person chose into rows, as far as the file and the answers say what they are. */
export function prepareRows(
  sheets: readonly [Sheet, ...Sheet[]],
  { answers, matching: chosen, defaults }: Setup,
): PreparedRows {
  const table = prepareTable(sheets, answers, chosen, { headings: giftHeadings, act: 'send' });
  const { read, matching, question } = table;
  const rows = read.kept.map(({ number, cells }) => ({ line: number, cells: cellsOf(cells, matching, defaults) }));
  const habits = findHabits(rows.map(({ cells }) => cells));
  return { ...table, habits, rows, question: question ?? questionOf(matching, habits, answers) };
}

function questionOf(
  matching: Matching<ColumnName>,
  habits: PreparedRows['habits'],
  answers: Answers,
): string | undefined {
  if (matching.email === undefined && matching.phone === undefined && matching.method === undefined)
    return 'Choose the column with the email addresses or the phone numbers.';
  if ((habits.decimal ?? answers.decimal) === undefined) return 'Say what stands before the cents.';
  if ((habits.dayOrder ?? answers.dayOrder) === undefined) return 'Say which number of a date is the day.';
  return habits.hasDaysAlone && answers.timeOfDay === '' ? 'Choose a time for days without a time.' : undefined;
}

/** The reader of rows without an open question. */
export function readerOf(
  { habits }: PreparedRows,
  answers: Answers,
  marks: MarkScope,
  categories: RowReader['categories'],
): RowReader {
  const decimal = habits.decimal ?? answers.decimal ?? '.';
  const dayOrder = habits.dayOrder ?? answers.dayOrder ?? 'day first';
  return createRowReader(marks, { decimal, dayOrder, timeOfDay: answers.timeOfDay }, categories);
}
