import type { Sheet } from 'bestow-readers/table.ts';
import { type Cells, cellsOf, createRowReader, type Defaults, findHabits, type RowReader } from './columns.ts';
import { type Matching, matchColumns, unusedHeadings } from './headings.ts';
import { type Answers, noAnswers, openQuestion, type ReadSheet, readSheet } from './sheet-answers.ts';

/** What a person says about a file. */
export interface Setup {
  answers: Answers;
  /** Undefined: by the headings. */
  matching: Matching | undefined;
  /** What rows have that the file leaves empty. */
  defaults: Defaults;
}

/** What a person says about a file before its rows are checked. */
export interface MatchSetup extends Setup {
  /** When the gifts are sent, as the field writes it; undefined: now. */
  time: string | undefined;
  /** The id of the template that filled what rows leave empty, or empty. */
  template: string;
}

export const newSetup: MatchSetup = {
  answers: noAnswers,
  matching: undefined,
  defaults: {},
  time: undefined,
  template: '',
};

export interface PreparedRows {
  read: ReadSheet;
  matching: Matching;
  habits: ReturnType<typeof findHabits>;
  rows: { line: number; cells: Cells }[];
  /** Headings of columns that have content and are not used. */
  unused: string[];
  /** What a person has to say before the rows can be read; undefined if nothing is open. */
  question: string | undefined;
}

/** Turns the sheet that a person chose into rows, as far as the file and the answers say what they are. */
export function prepareRows(
  sheets: readonly [Sheet, ...Sheet[]],
  { answers, matching: chosen, defaults }: Setup,
): PreparedRows {
  const read = readSheet(sheets[answers.sheet] ?? sheets[0], answers);
  const matching = chosen ?? matchColumns(read.table.headings);
  const rows = read.kept.map(({ number, cells }) => ({ line: number, cells: cellsOf(cells, matching, defaults) }));
  const habits = findHabits(rows.map(({ cells }) => cells));
  return {
    read,
    matching,
    habits,
    rows,
    unused: unusedHeadings(read.table.headings, read.kept, matching),
    question: openQuestion(read, answers) ?? questionOf(matching, habits, answers),
  };
}

function questionOf(matching: Matching, habits: PreparedRows['habits'], answers: Answers): string | undefined {
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
  currency: string,
  categories: RowReader['categories'],
): RowReader {
  const decimal = habits.decimal ?? answers.decimal ?? '.';
  const dayOrder = habits.dayOrder ?? answers.dayOrder ?? 'day first';
  return createRowReader(currency, { decimal, dayOrder, timeOfDay: answers.timeOfDay }, categories);
}
