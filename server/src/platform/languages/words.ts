import { formatAmount, localeOf } from 'bestow-readers/format-amount.ts';
import { dateOf } from 'bestow-readers/time.ts';
import { IntlMessageFormat } from 'intl-messageformat';
import { type ArgumentsOf, type Catalogue, catalogues, english, formalGerman, type Key } from './catalogue.ts';
import { isRightToLeft, type Language } from './languages.ts';

type Values<Name extends Key> = [ArgumentsOf<Name>] extends [never]
  ? []
  : [values: Readonly<Record<ArgumentsOf<Name>, string | number>>];

/** The texts, amounts and dates of one language. */
export interface Words {
  language: Language;
  direction: 'ltr' | 'rtl';
  /** Returns a text. With markup as values it is markup: the texts themselves need no escaping. */
  say<Name extends Key>(name: Name, ...values: Values<Name>): string;
  /** Puts sentences after one another. */
  join(...sentences: readonly string[]): string;
  amount(cents: number, currency: string): string;
  /** @param at such as `2027-05-12` */
  day(at: Date | string): string;
  /** The last whole day before a gift expires. */
  lastDay(expiresAt: Date): string;
  dateOfPurchase(at: Date): string;
  month(at: Date): string;
  /** Such as `1 Nov 2026`, for tables. */
  shortDay(at: Date): string;
  wholeMonth(at: Date): string;
}

/** Keeps `US$` in its order after Arabic letters. */
const isolateSymbol = (amount: string) =>
  amount.startsWith('\u200f') ? amount.replace(/[A-Z]+\p{Sc}?/u, '\u2066$&\u2069') : amount;

/** @param catalogue another one is for tests */
export function createWords(language: Language, catalogue: Catalogue = catalogues[language]): Words {
  const locale = localeOf(language);
  const formats = new Map<Key, IntlMessageFormat>();
  const formatOf = (name: Key) => {
    const format = formats.get(name) ?? new IntlMessageFormat(catalogue[name], locale, undefined, { ignoreTag: true });
    formats.set(name, format);
    return format;
  };
  const dates = (options: Intl.DateTimeFormatOptions, tag = locale) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  const days = dates({ dateStyle: 'long' }, language === 'en' ? 'en-GB' : locale);
  const purchaseDays = dates({ dateStyle: 'long' });
  const shortDays = dates({ dateStyle: 'medium' }, language === 'en' ? 'en-GB' : locale);
  const wholeMonths = dates({ month: 'long', year: 'numeric' });
  const months = dates({ month: 'short', year: 'numeric' });
  return {
    language,
    direction: isRightToLeft(language) ? 'rtl' : 'ltr',
    say: (name, ...[values]) => String(formatOf(name).format(values)),
    join: (...sentences) => sentences.join(language === 'ja' ? '' : ' '),
    amount: (cents, currency) => isolateSymbol(formatAmount(cents, currency, locale)),
    day: (at) => days.format(typeof at === 'string' ? dateOf(at) : at),
    lastDay: (expiresAt) => days.format(expiresAt.getTime() - 1),
    dateOfPurchase: (at) => purchaseDays.format(at),
    month: (at) => months.format(at),
    shortDay: (at) => shortDays.format(at),
    wholeMonth: (at) => wholeMonths.format(at),
  };
}

const made = new Map<Language, Words>();

export function wordsOf(language: Language): Words {
  const words = made.get(language) ?? createWords(language);
  made.set(language, words);
  return words;
}

export type GermanAddress = 'informal' | 'formal';

/** Sets for the process how German addresses recipients: “du” or “Sie”. */
export function addressGermans(address: GermanAddress): void {
  made.set('de', createWords('de', address === 'formal' ? formalGerman : catalogues.de));
}

export const englishWords = wordsOf('en');

const refusals = Object.keys(english).filter((name) => name.startsWith('refusal.')) as (Key & `refusal.${string}`)[];

/** Translates the reason of a refused claim, which the code and the database have in English. Returns others unchanged. */
export function sayRefusal({ say }: Words, reason: string): string {
  const name = refusals.find((one) => english[one] === reason);
  return name === undefined ? reason : say(name);
}
