import type { Knows, Sheet } from 'bestow-readers/table.ts';
import { isRecord } from '../../layout/drafts.ts';
import type { Matching } from './match-columns.ts';
import type { ColumnSetup } from './prepare-table.ts';
import { type Answers, noAnswers, readSheet } from './sheet-answers.ts';

/**
 * What a person chose for files with the same headings, for next month's file. The browser keeps headings and choices, and
 * nothing from a row.
 */
interface Kept {
  headings: readonly string[];
  /** The name of the sheet. */
  sheet: string;
  answers: Pick<Answers, 'headings' | 'dayOrder' | 'meant'>;
  /** Undefined: by the headings. */
  matching?: Matching;
}

/** Files of which the choices are kept; the oldest is forgotten. */
const MOST_FILES = 20;

const keyOf = (organizationId: string, page: string) => `bestow.columns.${organizationId}.${page}`;

function readKept(key: string): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => isRecord(one) && Array.isArray(one['headings'])) : [];
  } catch {
    return [];
  }
}

function writeKept(key: string, kept: readonly Kept[]): void {
  try {
    if (kept.length > 0) localStorage.setItem(key, JSON.stringify(kept.slice(0, MOST_FILES)));
    else localStorage.removeItem(key);
  } catch {
    // Without storage each file is asked about again.
  }
}

type Sheets = readonly [Sheet, ...Sheet[]];
const headingsOf = (sheet: Sheet, answers: Answers, isKnown: Knows) =>
  readSheet(sheet, answers, isKnown).table.headings;
const isSame = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other);
/** A line with an address or a number that was taken for headings. */
const isOfPeople = (heading: string) => heading.includes('@') || /^[\d\s.+()/-]+$/.test(heading);

/** The choices for the files of a page. */
export function rememberedChoices(organizationId: string, page: 'gifts' | 'contacts', isKnown: Knows) {
  const key = keyOf(organizationId, page);
  return {
    /** Returns the choices for a file with the same headings, from the sheet of the same name if there is one. */
    recall<Name extends keyof Matching>(sheets: Sheets): ColumnSetup<Name> | undefined {
      for (const kept of readKept(key)) {
        const answers: Answers = { ...noAnswers, ...kept.answers };
        const fits = sheets.map((sheet) => isSame(headingsOf(sheet, answers, isKnown), kept.headings));
        const named = sheets.findIndex(({ name }, index) => fits[index] && name === kept.sheet);
        const sheet = named === -1 ? fits.indexOf(true) : named;
        if (sheet === -1) continue;
        return {
          answers: { ...answers, sheet },
          matching: kept.matching as Matching<Name> | undefined,
          isRecalled: true,
        };
      }
      return undefined;
    },
    /** Keeps what a person chose; forgets the file if the headings say it all. */
    remember(sheets: Sheets, { answers, matching }: Pick<ColumnSetup<keyof Matching>, 'answers' | 'matching'>): void {
      const sheet = sheets[answers.sheet] ?? sheets[0];
      const headings = headingsOf(sheet, answers, isKnown);
      const others = readKept(key).filter((kept) => !isSame(kept.headings, headings));
      const { headings: line, dayOrder, meant, sheet: index } = answers;
      const isChosen =
        matching !== undefined ||
        line !== undefined ||
        dayOrder !== undefined ||
        index > 0 ||
        Object.keys(meant).length > 0;
      const mayKeep = isChosen && headings.some((heading) => heading !== '') && !headings.some(isOfPeople);
      const kept = {
        headings,
        sheet: sheet.name,
        answers: { headings: line, dayOrder, meant },
        ...(matching && { matching }),
      };
      writeKept(key, mayKeep ? [kept, ...others] : others);
    },
    /** Forgets the choices for a file. */
    forget(sheets: Sheets, answers: Answers): void {
      const headings = headingsOf(sheets[answers.sheet] ?? sheets[0], answers, isKnown);
      writeKept(
        key,
        readKept(key).filter((kept) => !isSame(kept.headings, headings)),
      );
    },
  };
}
