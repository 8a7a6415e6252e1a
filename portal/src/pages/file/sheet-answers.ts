import type { DecimalSign } from 'bestow-readers/money.ts';
import { findHeadings, type Knows, type Line, type Sheet, type Table, tableOf } from 'bestow-readers/table.ts';
import type { DayOrder } from 'bestow-readers/written-time.ts';
import type { Meant } from './match-columns.ts';

export const MOST_ROWS = 10_000;

type Choice = 'leave out' | 'take';

/** What a person says about a file; undefined if the file says it, or the person has not said it yet. */
export interface Answers {
  sheet: number;
  /** Index of the line of the headings; -1: the file has no headings. */
  headings: number | undefined;
  hidden: Choice | undefined;
  doubtful: Choice | undefined;
  /** Which rows have the text of a merged cell. */
  merged: 'each row' | 'the first row' | undefined;
  decimal: DecimalSign | undefined;
  dayOrder: DayOrder | undefined;
  /** For days without a time. */
  timeOfDay: string;
  meant: Meant;
}

export const noAnswers: Answers = {
  sheet: 0,
  headings: undefined,
  hidden: undefined,
  doubtful: undefined,
  merged: undefined,
  decimal: undefined,
  dayOrder: undefined,
  timeOfDay: '09:00',
  meant: {},
};

/** How a file writes amounts and days; undefined if a person has to say it. */
export interface FileHabits {
  decimal: DecimalSign | undefined;
  dayOrder: DayOrder | undefined;
  hasDaysAlone: boolean;
}

/** A line that is not used, and why. */
export interface LeftOut {
  line: number;
  why: string;
}

export interface ReadSheet {
  table: Table;
  /** Whether a person has to say which line has the headings. */
  asksForHeadings: boolean;
  hidden: Line[];
  doubtful: Line[];
  /** Lines that show the text of a merged cell whose first row is above them. */
  merged: Line[];
  /** Lines that are used, as far as the answers say. */
  kept: Line[];
  leftOut: LeftOut[];
}

/** Applies the answers of a person to a sheet. */
export function readSheet(sheet: Sheet, answers: Answers, isKnown: Knows): ReadSheet {
  const found = findHeadings(sheet.lines, isKnown);
  const table = tableOf(sheet, answers.headings ?? found ?? -1);
  const hidden = table.lines.filter(({ isHidden }) => isHidden);
  const isOut = (line: Line) => line.isHidden && answers.hidden === 'leave out';
  const doubtful = table.lines.filter((line) => line.doubt !== undefined && !isOut(line));
  const leftOut = [
    ...table.above.map(({ number }) => ({ line: number, why: 'above the headings' })),
    ...hidden.filter(isOut).map(({ number }) => ({ line: number, why: 'hidden in the sheet' })),
    ...(answers.doubtful === 'leave out' ? doubtful : []).map(({ number, doubt }) => ({
      line: number,
      why: `has ${doubt}`,
    })),
  ];
  const out = new Set(leftOut.map(({ line }) => line));
  const kept = table.lines.filter(({ number }) => !out.has(number));
  return {
    table,
    asksForHeadings: found === undefined,
    hidden,
    doubtful,
    merged: kept.filter(({ merged }) => merged !== undefined),
    kept: answers.merged === 'each row' ? kept.map(withMerged) : kept,
    leftOut,
  };
}

/** The line as a person sees it: with what its merged cells show. */
function withMerged(line: Line): Line {
  const cells = [...line.cells];
  for (const { column, text } of line.merged ?? []) cells[column] = text;
  return { ...line, cells };
}

/** What keeps the rows from being checked, for people; undefined if nothing does. @param act what is done with the rows */
export function openQuestion(read: ReadSheet, answers: Answers, act: 'send' | 'import'): string | undefined {
  if (read.asksForHeadings && answers.headings === undefined) return 'Say which line has the headings.';
  if (read.hidden.length > 0 && answers.hidden === undefined) return 'Say what to do with the hidden rows.';
  if (read.doubtful.length > 0 && answers.doubtful === undefined) return 'Say what to do with the doubtful lines.';
  if (read.merged.length > 0 && answers.merged === undefined) return 'Say what to do with the merged cells.';
  if (read.kept.length === 0) return `There are no rows to ${act}.`;
  return read.kept.length > MOST_ROWS
    ? `There are ${read.kept.length} rows. ${act === 'send' ? 'Send' : 'Import'} at most ${MOST_ROWS} at a time.`
    : undefined;
}
