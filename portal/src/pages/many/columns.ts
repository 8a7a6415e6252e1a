import { cleanAddress } from 'bestow-readers/address.ts';
import { unguardFormulas, unguardWords } from 'bestow-readers/formula-sign.ts';
import type { Mark } from 'bestow-readers/marks.ts';
import { createMoneyReader, type DecimalSign, findDecimalSign } from 'bestow-readers/money.ts';
import { plainHeading } from 'bestow-readers/table.ts';
import { createTimeReader, type DayOrder, findDayOrder, isDayAlone } from 'bestow-readers/written-time.ts';
import type { components } from '../../api/schema.d.ts';
import { LEAST_CENTS, MOST_CENTS } from '../../base/gift-limits.ts';
import type { Language } from '../../ui/languages.ts';
import { faultOfText } from '../file/fault-of-text.ts';
import type { Matching } from '../file/match-columns.ts';
import type { FileHabits } from '../file/sheet-answers.ts';
import { languageOf, NO_LANGUAGE } from '../file/written-language.ts';
import { fillMessage, type MarkScope } from '../gift-form/fill-message.ts';
import type { ColumnName } from './headings.ts';

export type BatchGift = components['schemas']['GiftToSend'] & { external_id?: string; send_at?: string };

/** What a row says; first and last name are one, and the first is kept for messages. */
export type CellName = Exclude<ColumnName, 'last_name'>;
export type Cells = Partial<Record<CellName, string>>;

/** What rows have that the file leaves empty. */
export type Defaults = Pick<Cells, 'amount' | 'category' | 'sender_name' | 'message' | 'language' | 'send_at'>;

export function cellsOf(line: readonly string[], matching: Matching<ColumnName>, defaults: Defaults): Cells {
  const { last_name, ...written } = Object.fromEntries(
    Object.entries(matching)
      .map(([name, index]) => [name, unguardedOf(name, (line[index] ?? '').trim())])
      .filter(([, text]) => text !== ''),
  ) as Partial<Record<ColumnName, string>>;
  const names = [written.first_name, last_name].filter((name) => name !== undefined).join(' ');
  const cells: Cells = { ...defaults, ...(names !== '' && { recipient_name: names }), ...written };
  // A link exists at once, so a time for all is not for links.
  if (methodOf(cells) === 'link' && cells.send_at === defaults.send_at) delete cells.send_at;
  return cells;
}

/** Without the apostrophes of our own files. */
const unguardedOf = (name: string, text: string) => (name === 'message' ? unguardWords(text) : unguardFormulas(text));

/** What the cells of one file say about how it writes amounts and days; undefined if a person has to say it. */
export function findHabits(rows: readonly Cells[]): FileHabits {
  const texts = (name: 'amount' | 'send_at') => rows.flatMap((cells) => cells[name] ?? []);
  return {
    decimal: findDecimalSign(texts('amount')),
    dayOrder: findDayOrder(texts('send_at')),
    hasDaysAlone: texts('send_at').some(isDayAlone),
  };
}

/** How amounts, times, categories and marks of one file are read. */
export interface RowReader {
  marks: MarkScope;
  money: (text: string) => number | undefined;
  time: (text: string) => Date | undefined;
  categories: readonly Category[];
  rules: Rules;
}

/** How a file writes amounts and days. */
export interface Rules {
  decimal: DecimalSign;
  dayOrder: DayOrder;
  timeOfDay: string;
}

export const createRowReader = (marks: MarkScope, rules: Rules, categories: readonly Category[]): RowReader => ({
  marks,
  money: createMoneyReader(marks.currency, rules.decimal),
  time: createTimeReader(rules.dayOrder, rules.timeOfDay),
  categories,
  rules,
});

interface Category {
  category_id: string;
  name: string;
}

/** Finds a category by its id or its name. */
export function findCategory<Found extends Category>(text: string, categories: readonly Found[]): Found | undefined {
  const wanted = plainHeading(text);
  return categories.find(
    ({ category_id, name }) => plainHeading(category_id) === wanted || plainHeading(name) === wanted,
  );
}

export interface Fault {
  column: CellName;
  message: string;
}

const methods: Record<string, 'email' | 'phone' | 'link'> = {
  email: 'email',
  'e mail': 'email',
  mail: 'email',
  phone: 'phone',
  sms: 'phone',
  text: 'phone',
  'text message': 'phone',
  link: 'link',
} as const;

interface ReadGift {
  gift: BatchGift;
  /** What was taken away from the address. */
  removed: string[];
}

/** Returns the gift of a row, or its fault if the browser sees one. The server checks every field. */
export function giftOfRow(cells: Cells, reader: RowReader): ReadGift | { fault: Fault } {
  const fault = faultOfText<CellName>(
    cells,
    (column) => column === 'message',
    (column) => /_name$|^message$/.test(column),
  );
  if (fault !== undefined) return { fault };
  const delivery = deliveryOf(cells);
  if ('fault' in delivery) return delivery;
  const amount = reader.money(cells.amount ?? '');
  if (amount === undefined || amount < LEAST_CENTS || amount > MOST_CENTS)
    return { fault: { column: 'amount', message: 'Enter an amount from 10.00 to 500.00.' } };
  const category = findCategory(cells.category ?? '', reader.categories);
  if (category === undefined) return { fault: { column: 'category', message: 'Choose a category of the catalog.' } };
  const { recipient_name, sender_name, external_id, send_at } = cells;
  const language = cells.language === undefined ? undefined : languageOf(cells.language);
  if (cells.language !== undefined && language === undefined)
    return { fault: { column: 'language', message: NO_LANGUAGE } };
  const time = send_at === undefined ? undefined : reader.time(send_at);
  if (send_at !== undefined && time === undefined)
    return { fault: { column: 'send_at', message: 'Enter a date and a time, such as 2026-12-24 09:00.' } };
  const message = messageOf(cells, reader.marks, { amount, language });
  if (message.fault !== undefined) return { fault: message.fault };
  const personalization = {
    ...(recipient_name && { recipient_name }),
    ...(sender_name && { sender_name }),
    ...(message.text && { message: message.text }),
  };
  const gift = {
    amount,
    category: category.category_id,
    delivery: delivery.delivery,
    ...(Object.keys(personalization).length > 0 && { personalization }),
    ...(language !== undefined && { language }),
    ...(external_id && { external_id }),
    ...(time !== undefined && { send_at: time.toISOString() }),
  };
  return { gift, removed: delivery.removed };
}

interface Known {
  amount: number;
  language: Language | undefined;
}

/** The message of a row with its marks filled. */
function messageOf(
  { message, recipient_name, first_name, sender_name, occasion, years }: Cells,
  marks: MarkScope,
  { amount, language }: Known,
): { text: string; fault: Fault | undefined } {
  const { text, fault } = fillMessage(message ?? '', marks, {
    name: recipient_name,
    first_name,
    ...(sender_name !== undefined && { sender: sender_name }),
    amount_cents: amount,
    ...(language !== undefined && { language }),
    occasion,
    years,
  });
  return { text, fault: fault && { column: fault.mark ? columns[fault.mark] : 'message', message: fault.message } };
}

/** The columns in which the word of a mark is missing. */
const columns: Readonly<Record<Mark, CellName>> = {
  name: 'recipient_name',
  first_name: 'recipient_name',
  sender: 'sender_name',
  amount: 'amount',
  occasion: 'occasion',
  years: 'years',
};

const methodOf = ({ method, email, phone }: Cells) =>
  method === undefined ? (email ? 'email' : phone ? 'phone' : 'email') : methods[plainHeading(method)];

function deliveryOf(cells: Cells): (Pick<BatchGift, 'delivery'> & { removed: string[] }) | { fault: Fault } {
  const by = methodOf(cells);
  if (by === undefined) return { fault: { column: 'method', message: 'Enter email, phone or link.' } };
  if (by === 'link') return { delivery: { method: 'link' }, removed: [] };
  const { address, removed } = cleanAddress(by, cells[by] ?? '');
  if (address === '')
    return {
      fault: { column: by, message: by === 'email' ? 'Enter an email address.' : 'Enter a phone number.' },
    };
  const delivery = by === 'email' ? { method: by, email: address } : { method: by, phone: address };
  return { delivery, removed };
}

/** The file that people can begin with. */
export const template = {
  name: 'gifts.csv',
  text: `email,phone,amount,category,recipient name,sender name,message,reference
ada@example.com,,25.00,coffee,Ada Lovelace,,"Thank you, {first_name}!",A-1
,+1 202 555 0100,50.00,books,Grace,,,A-2
`,
};
