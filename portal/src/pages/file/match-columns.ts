import { plainHeading } from 'bestow-readers/table.ts';
import { type HeadingMeaning, headingNames } from './heading-names.ts';

/** The column of the file for each meaning; undefined if the file has none. */
export type Matching<Name extends HeadingMeaning = HeadingMeaning> = Partial<Record<Name, number>>;

/** A column whose heading means two things, of which no other heading decides. */
export interface OpenColumn<Name extends HeadingMeaning = HeadingMeaning> {
  column: number;
  heading: string;
  meanings: readonly Name[];
}

/** What a person said that such columns mean, by their index. */
export type Meant = Readonly<Record<number, HeadingMeaning | 'not used'>>;

interface FilePart {
  headings: readonly string[];
  lines: readonly { cells: readonly string[] }[];
}

/** The headings that one page knows. */
export interface Headings<Name extends HeadingMeaning> {
  names: readonly Name[];
  /** As `plainHeading` makes them. */
  known: readonly string[];
  isKnown: (heading: string) => boolean;
  match: (file: FilePart, meant: Meant) => { matching: Matching<Name>; open: OpenColumn<Name>[] };
}

/** With accents: they tell the Portuguese `aniversário` from the Spanish `aniversario`. */
const spelled = (heading: string) => heading.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

/** ADP adds where its reports find a column. */
const GROUP_OF_ADP = /\s*\((?:personal|employment) profile[^()]*\)\s*$/i;

type Found<Name> = { name: Name | 'not_used'; rank: number };

/** Makes the matcher of a page. @param names the meanings that a column may have there */
export function createHeadings<Name extends HeadingMeaning>(names: readonly Name[]): Headings<Name> {
  const byForm = [new Map<string, Found<Name>[]>(), new Map<string, Found<Name>[]>()] as const;
  for (const name of [...names, 'not_used'] as const)
    for (const [rank, heading] of headingNames[name].split(', ').entries())
      for (const [form, write] of [spelled, plainHeading].entries()) {
        const found = byForm[form as 0 | 1];
        const text = write(heading);
        const others = (found.get(text) ?? []).filter((other) => other.name !== name);
        const earlier = found.get(text)?.find((other) => other.name === name);
        found.set(text, [...others, earlier ?? { name, rank }]);
      }
  const meaningsOf = (written: string) => {
    const heading = written.replace(GROUP_OF_ADP, '');
    return byForm[0].get(spelled(heading)) ?? byForm[1].get(plainHeading(heading)) ?? [];
  };
  const isKnown = (heading: string) => meaningsOf(heading).some(({ name }) => name !== 'not_used');
  return {
    names,
    known: [...byForm[1].keys()].filter(isKnown),
    isKnown,
    match: (file, meant) => matchColumns(file, meant, meaningsOf),
  };
}

interface Candidate<Name> extends Found<Name> {
  column: number;
  isFilled: boolean;
}

/** A column with content goes before an empty one, and then the heading that the list names first. */
const order = (one: Candidate<unknown>, other: Candidate<unknown>) =>
  Number(other.isFilled) - Number(one.isFilled) || one.rank - other.rank || one.column - other.column;

function matchColumns<Name extends HeadingMeaning>(
  { headings, lines }: FilePart,
  meant: Meant,
  meaningsOf: (heading: string) => readonly Found<Name>[],
): ReturnType<Headings<Name>['match']> {
  const isFilled = (column: number) => lines.some(({ cells }) => (cells[column] ?? '').trim() !== '');
  const columns = headings.map((heading, column) => ({ heading, column, found: meaningsOf(heading) }));
  const candidates: Candidate<Name>[] = columns.flatMap(({ column, found }) =>
    found.length === 1 ? found.map((one) => ({ ...one, column, isFilled: isFilled(column) })) : [],
  );
  const matching: Matching<Name> = {};
  for (const { name, column } of candidates.sort(order))
    if (name !== 'not_used') (matching as Matching)[name] ??= column;
  const open: OpenColumn<Name>[] = [];
  for (const { heading, column, found } of columns.filter((one) => one.found.length > 1 && isFilled(one.column))) {
    const said = meant[column];
    const left = found.filter(({ name }) => name === 'not_used' || (matching as Matching)[name] === undefined);
    const [only] = left;
    const meaning = said ?? (left.length === 1 ? only?.name : undefined);
    if (meaning === undefined)
      open.push({ column, heading, meanings: left.flatMap(({ name }) => (name === 'not_used' ? [] : name)) });
    else if (meaning !== 'not used' && meaning !== 'not_used') (matching as Matching)[meaning] ??= column;
  }
  return { matching: withNames(matching, headings) as Matching<Name>, open };
}

/** Decides between the full name and its parts. */
function withNames(matching: Matching, headings: readonly string[]): Matching {
  const { recipient_name, name, first_name, last_name } = matching;
  const full = recipient_name ?? name;
  if (first_name === undefined || full === undefined) return matching;
  const { recipient_name: _, name: __, ...others } = matching;
  // “Name” beside “First name” is the last name. Both parts together say more than a third column.
  if (last_name !== undefined) return others;
  return plainHeading(headings[full] ?? '') === 'name' ? { ...others, last_name: full } : matching;
}

/** Headings of columns that have content and no meaning. */
export function unusedHeadings({ headings, lines }: FilePart, used: ReadonlySet<number>): string[] {
  return headings.flatMap((heading, index) =>
    !used.has(index) && lines.some(({ cells }) => (cells[index] ?? '').trim() !== '')
      ? [heading || `Column ${index + 1}`]
      : [],
  );
}
