import { formatAmount, localeOf } from './format-amount.ts';

/** What a mark in a message, such as `{first_name}`, stands for. */
export const marks = ['name', 'first_name', 'sender', 'amount', 'occasion', 'years'] as const;
export type Mark = (typeof marks)[number];

/** The words of one gift; undefined where it has none. */
export type MarkWords = Readonly<Partial<Record<Mark, string | undefined>>>;

/** Other names that people give them, as `plain` makes them. */
const otherNames: Readonly<Record<string, Mark>> = {
  recipient: 'name',
  recipientname: 'name',
  fullname: 'name',
  fname: 'first_name',
  givenname: 'first_name',
  sendername: 'sender',
};

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const byName = new Map([...marks.map((mark) => [plain(mark), mark] as const), ...Object.entries(otherNames)]);

/** A word or two in braces, without a blank after the first: `{name}`, `{{first_name}}`, `{First name}`. */
const IN_BRACES = /\{\{\s*(\p{L}[\p{L}\d _-]{0,30}?)\s*\}\}|\{(\p{L}[\p{L}\d _-]{0,30}?)\}/gu;
const NAME = '([\\p{L} _-]{2,30}?)';
/** As other programs or slips write them: `[Name]`, `<<name>>`, `«name»`, `%name%`, `*|FNAME|*`, `${name}`, `{ name }`, `{name`. */
const OF_OTHERS = new RegExp(
  [
    `\\[${NAME}\\]`,
    `<<${NAME}>>`,
    `«${NAME}»`,
    '%([\\p{L}_]{2,30})%',
    `\\*\\|${NAME}\\|\\*`,
    `\\$\\{${NAME}\\}`,
    `(?<!\\{)\\{\\s+${NAME}\\s*\\}`,
    '\\{([\\p{L}_]{2,30})(?![\\p{L}\\d _-]*\\})',
  ].join('|'),
  'gu',
);

interface Written {
  /** As it stands in the text. */
  text: string;
  /** Undefined if no mark has this name. */
  mark: Mark | undefined;
}

const writtenIn = (message: string, form: RegExp): Written[] =>
  [...message.matchAll(form)].map(([text, ...names]) => ({ text, mark: byName.get(plain(names.find(Boolean) ?? '')) }));

const known = marks.map((mark) => `{${mark}}`);
/** The marks as one writes them, for people. */
const markList = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;

/**
 * Says what is wrong with the marks of a message for every gift; undefined if they are right.
 *
 * @returns a sentence for people
 */
export function faultOfMarks(message: string): string | undefined {
  const other = writtenIn(message, OF_OTHERS).find(({ mark }) => mark !== undefined);
  if (other !== undefined) return `Write {${other.mark}} for ${other.text}.`;
  const unknown = writtenIn(message, IN_BRACES).find(({ mark }) => mark === undefined);
  return (
    unknown && `${unknown.text} is not a mark. Marks are ${markList}. For braces as text, put a blank after the first.`
  );
}

/** The first mark of a message for which the gift has no word. */
export const missingMark = (message: string, words: MarkWords): Mark | undefined =>
  writtenIn(message, IN_BRACES).find(({ mark }) => mark !== undefined && !words[mark])?.mark;

/** Fills the marks of a message. A word is text, also if it looks like a mark; what has no word stays as it is. */
export const fillMarks = (message: string, words: MarkWords): string =>
  message.replace(IN_BRACES, (text, inTwo?: string, inOne?: string) => {
    const mark = byName.get(plain(inTwo ?? inOne ?? ''));
    return (mark && words[mark]) || text;
  });

/** Letters of languages that write the family name first. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const TITLE =
  /^(?:[\p{L}.]+\.|mr|mrs|ms|miss|mx|dr|prof|sir|herr|frau|mme|mlle|m|monsieur|madame|señora?|sra?|signora?)$/iu;

/**
 * The first name in a full one: its first word, or the one after a comma. A name with a title, an initial in front or of a language that puts the family
 * first stays whole: that is polite, and a wrong part is not.
 */
export function firstNameOf(name: string): string {
  const given = name.slice(name.indexOf(',') + 1).trim();
  const [first = ''] = given.split(/\s+/);
  const isName = first.length > 1 && /\p{L}/u.test(first) && !TITLE.test(first);
  return isName && !FAMILY_FIRST.test(name) ? first : name;
}

/** What a gift has for marks. */
export interface MarkedGift {
  /** Of the recipient. */
  name?: string | null | undefined;
  /** Where it is known apart. */
  first_name?: string | undefined;
  /** What the recipient reads as the sender. */
  sender: string;
  amount_cents: number;
  currency: string;
  /** A tag of BCP 47. */
  language: string;
  occasion?: string | undefined;
  years?: string | number | null | undefined;
}

/** The words of a gift, its amount as people of the language write it. */
export function markWords({
  name,
  first_name,
  amount_cents,
  currency,
  language,
  years,
  ...gift
}: MarkedGift): MarkWords {
  const whole = name ?? undefined;
  return {
    name: whole,
    first_name: first_name ?? (whole && firstNameOf(whole)),
    sender: gift.sender,
    amount: formatAmount(amount_cents, currency, localeOf(language)),
    occasion: gift.occasion,
    years: years === null || years === undefined ? undefined : String(years),
  };
}
