import type { Sheet } from 'bestow-readers/table.ts';
import type { HeadingMeaning } from './heading-names.ts';
import { type Headings, type Matching, type OpenColumn, unusedHeadings } from './match-columns.ts';
import { type Answers, openQuestion, type ReadSheet, readSheet } from './sheet-answers.ts';

/** What a person says about the columns of a file. */
export interface ColumnSetup<Name extends HeadingMeaning> {
  answers: Answers;
  /** Undefined: by the headings. */
  matching: Matching<Name> | undefined;
  /** Whether the choices are of an earlier file. */
  isRecalled: boolean;
}

export interface PreparedTable<Name extends HeadingMeaning> {
  read: ReadSheet;
  matching: Matching<Name>;
  /** Columns of which a person has to say what they mean. */
  open: OpenColumn<Name>[];
  /** Headings of columns that have content and are not used. */
  unused: string[];
  /** What a person has to say before the rows can be read; undefined if nothing is open. */
  question: string | undefined;
}

interface Use<Name extends HeadingMeaning> {
  headings: Headings<Name>;
  act: 'send' | 'import';
}

/** Applies the answers of a person to a file. @param chosen the columns that a person chose; undefined: by the headings */
export function prepareTable<Name extends HeadingMeaning>(
  sheets: readonly [Sheet, ...Sheet[]],
  answers: Answers,
  chosen: Matching<Name> | undefined,
  { headings, act }: Use<Name>,
): PreparedTable<Name> {
  const read = readSheet(sheets[answers.sheet] ?? sheets[0], answers, headings.isKnown);
  const found = headings.match(read.table, answers.meant);
  const matching = chosen ?? found.matching;
  const used = new Set(Object.values(matching) as number[]);
  const open = found.open.filter(({ column }) => !used.has(column) && answers.meant[column] === undefined);
  const [first] = open;
  return {
    read,
    matching,
    open,
    unused: unusedHeadings(
      { headings: read.table.headings, lines: read.kept },
      new Set([...used, ...open.map(({ column }) => column)]),
    ),
    question: openQuestion(read, answers, act) ?? (first && `Say what “${first.heading}” means.`),
  };
}
