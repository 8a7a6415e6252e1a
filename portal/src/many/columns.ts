import type { components } from '../api/schema.d.ts';
import { LEAST_CENTS, MOST_CENTS } from '../pages/send-draft.ts';
import { parseMoney } from '../ui/money-field.tsx';

export type BatchGift = components['schemas']['GiftToSend'] & { external_id?: string; send_at?: string };

/** What a column of a file may mean, with other names that people give it. */
export const columns = {
  email: { label: 'Email address', names: ['email', 'e-mail', 'mail', 'email address', 'recipient email'] },
  phone: { label: 'Phone number', names: ['phone', 'mobile', 'cell', 'phone number', 'telephone', 'tel'] },
  amount: { label: 'Amount', names: ['amount', 'value', 'sum', 'gift amount'] },
  category: { label: 'Category', names: ['category', 'gift', 'type', 'product'] },
  recipient_name: {
    label: 'Recipient',
    names: ['recipient name', 'recipient', 'name', 'full name', 'to', 'first name'],
  },
  sender_name: { label: 'Sender', names: ['sender name', 'sender', 'from'] },
  message: { label: 'Message', names: ['message', 'note', 'text', 'greeting'] },
  external_id: { label: 'Your reference', names: ['external id', 'reference', 'ref', 'id', 'employee id', 'order id'] },
  send_at: { label: 'Send at', names: ['send at', 'send on', 'send date', 'scheduled for'] },
  method: { label: 'Method', names: ['method', 'delivery', 'delivery method', 'send by'] },
} as const;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
export type Cells = Partial<Record<ColumnName, string>>;

/** The column of the file for each meaning; undefined if the file has none. */
export type Matching = Partial<Record<ColumnName, number>>;

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[_\-./]+/g, ' ')
    .trim();

/** Matches the file's headings by their names; each column once. */
export function matchColumns(headings: readonly string[]): Matching {
  const matching: Matching = {};
  const used = new Set<number>();
  for (const name of columnNames) {
    const names: string[] = columns[name].names.map(plain);
    const index = headings.findIndex((heading, at) => !used.has(at) && names.includes(plain(heading)));
    if (index === -1) continue;
    used.add(index);
    matching[name] = index;
  }
  return matching;
}

/** What rows have that the file leaves empty. */
export type Defaults = Pick<Cells, 'amount' | 'category' | 'message' | 'send_at'>;

export function cellsOf(line: readonly string[], matching: Matching, defaults: Defaults): Cells {
  const cells: Cells = { ...defaults };
  for (const name of columnNames) {
    const text = matching[name] === undefined ? '' : (line[matching[name]] ?? '').trim();
    if (text !== '') cells[name] = text;
  }
  // A link exists at once, so a time for all is not for links.
  if (methodOf(cells) === 'link' && cells.send_at === defaults.send_at) delete cells.send_at;
  return cells;
}

interface Category {
  category_id: string;
  name: string;
}

export interface Fault {
  column: ColumnName;
  message: string;
}

const methods: Record<string, 'email' | 'phone' | 'link'> = {
  ...{ email: 'email', 'e mail': 'email', mail: 'email' },
  ...{ phone: 'phone', sms: 'phone', text: 'phone', 'text message': 'phone', link: 'link' },
} as const;

/** Returns the gift of a row, or its fault if the browser sees one. The server checks every field. */
export function giftOfRow(cells: Cells, categories: readonly Category[]): { gift: BatchGift } | { fault: Fault } {
  const delivery = deliveryOf(cells);
  if ('fault' in delivery) return delivery;
  const amount = parseMoney((cells.amount ?? '').replace(/^[^\d]+|[^\d]+$/g, ''), MOST_CENTS);
  if (amount === undefined || amount < LEAST_CENTS)
    return { fault: { column: 'amount', message: 'Enter an amount from 10.00 to 500.00.' } };
  const wanted = plain(cells.category ?? '');
  const category = categories.find(({ category_id, name }) => plain(category_id) === wanted || plain(name) === wanted);
  if (category === undefined) return { fault: { column: 'category', message: 'Choose a category of the catalog.' } };
  const { recipient_name, sender_name, message, external_id, send_at } = cells;
  const time = send_at === undefined ? undefined : readTime(send_at);
  if (send_at !== undefined && time === undefined)
    return { fault: { column: 'send_at', message: 'Enter a date and a time, such as 2026-12-24 09:00.' } };
  const personalization = {
    ...(recipient_name && { recipient_name }),
    ...(sender_name && { sender_name }),
    ...(message && { message }),
  };
  return {
    gift: {
      amount,
      category: category.category_id,
      delivery: delivery.delivery,
      ...(Object.keys(personalization).length > 0 && { personalization }),
      ...(external_id && { external_id }),
      ...(time !== undefined && { send_at: time }),
    },
  };
}

/** Reads a time; without its own zone it is in the person's. */
function readTime(text: string): string | undefined {
  const [, day, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:\d{2})?$/i.exec(text) ?? [];
  const at = new Date(`${day}T${time}${zone.toUpperCase()}`);
  // The browser takes 31 February for 3 March.
  const isDay = !Number.isNaN(at.getTime()) && new Date(`${day}T00:00Z`).toISOString().startsWith(`${day}T`);
  return isDay ? at.toISOString() : undefined;
}

const methodOf = ({ method, email, phone }: Cells) =>
  method === undefined ? (email ? 'email' : phone ? 'phone' : 'email') : methods[plain(method)];

function deliveryOf(cells: Cells): Pick<BatchGift, 'delivery'> | { fault: Fault } {
  const by = methodOf(cells);
  const { email, phone } = cells;
  if (by === undefined) return { fault: { column: 'method', message: 'Enter email, phone or link.' } };
  if (by === 'link') return { delivery: { method: 'link' } };
  const address = by === 'email' ? email : phone;
  if (!address)
    return {
      fault: { column: by, message: by === 'email' ? 'Enter an email address.' : 'Enter a phone number.' },
    };
  return { delivery: by === 'email' ? { method: 'email', email: address } : { method: 'phone', phone: address } };
}

/** The file that people can begin with. */
export const template = `email,phone,amount,category,recipient name,sender name,message,reference
ada@example.com,,25.00,coffee,Ada,,Thank you!,A-1
,+1 202 555 0100,50.00,books,Grace,,,A-2
`;
