import type { ErrorCode } from '../../../server/src/errors.ts';

/** What an order's body means, read by the specification and not by the service's own schema. */

export interface SentGift {
  amount: number;
  category: string;
  delivery: { method: string; email?: string; phone?: string };
  personalization?: { recipient_name?: string; sender_name?: string };
}

/** How a request is to be answered. */
export interface Expected {
  status: readonly number[];
  /** Of the error, where there is only one that will do. */
  code?: ErrorCode;
  /** What an order's answer must show. */
  gifts?: SentGift[];
}

/** The catalog's ids, as the test service has them. */
const CATEGORIES = new Set(['coffee', 'books', 'travel']);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body's value; undefined where it is no JSON in UTF-8. */
export function readJson(body: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) as unknown };
  } catch {
    return undefined;
  }
}

/** How an order with this body is answered where its balance is enough and no address steers it. */
export function readOrder(body: Uint8Array): Expected {
  const read = readJson(body);
  if (read === undefined) return { status: [400], code: 'request_body_invalid' };
  const order = fieldsOf(read.value, ['gifts']);
  const gifts = order?.['gifts'];
  const isOrder = Array.isArray(gifts) && gifts.length >= 1 && gifts.length <= 10 && gifts.every(isGift);
  return isOrder ? { status: [201], gifts: gifts as SentGift[] } : { status: [422], code: 'parameter_invalid' };
}

function isGift(value: unknown): boolean {
  const gift = fieldsOf(value, ['amount', 'category', 'delivery', 'personalization']);
  if (gift === undefined) return false;
  const { amount, category, delivery, personalization } = gift as Record<keyof SentGift, unknown>;
  const isAmount = Number.isInteger(amount) && (amount as number) >= 1_000 && (amount as number) <= 50_000;
  return isAmount && CATEGORIES.has(category as string) && isDelivery(delivery, true) && isNames(personalization);
}

/** A delivery, or what a gift is redirected to. */
export function isDelivery(value: unknown, mayBeLink: boolean): boolean {
  const delivery = fieldsOf(value, ['method', 'email', 'phone']);
  if (delivery === undefined) return false;
  const { method, email, phone } = delivery as Record<'method' | 'email' | 'phone', unknown>;
  if (method === 'email') return isEmail(email) && phone === undefined;
  if (method === 'phone') return isPhone(phone) && email === undefined;
  return mayBeLink && method === 'link' && email === undefined && phone === undefined;
}

function isEmail(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 254) return false;
  const [local = '', domain = '', ...more] = value.split('@');
  if (
    more.length > 0 ||
    /\.\./.test(value) ||
    local.startsWith('.') ||
    !/^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]$/.test(local)
  )
    return false;
  const labels = domain.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(label)) &&
    /^[A-Za-z]{2,}$/.test(labels.at(-1) ?? '')
  );
}

function isPhone(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 100 || !/^\+[0-9 ()-]*$/.test(value)) return false;
  return /^[1-9][0-9]{6,14}$/.test(value.replace(/[^0-9]/g, ''));
}

function isNames(value: unknown): boolean {
  if (value === undefined) return true;
  const names = fieldsOf(value, ['recipient_name', 'sender_name']);
  return names !== undefined && Object.values(names).every(isName);
}

function isName(value: unknown): boolean {
  if (typeof value !== 'string' || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value)) return false;
  const { length } = [...value];
  return length >= 1 && length <= 200;
}

/** The members of an object that has no others than these. */
function fieldsOf(value: unknown, known: readonly string[]): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).every((name) => known.includes(name)) ? (value as Record<string, unknown>) : undefined;
}

interface ShownGift {
  amount: number;
  category: string;
  delivery: { method: string; email?: string; phone?: string; link?: string };
  personalization: { recipient_name?: string; sender_name?: string };
}

/** In what a gift that came back differs from the one that was sent, to the last byte. */
export function differences(sent: SentGift, shown: ShownGift, organizationName: string): string[] {
  const { personalization = {} } = sent;
  const pairs: [field: string, sent: unknown, shown: unknown][] = [
    ['amount', sent.amount, shown.amount],
    ['category', sent.category, shown.category],
    ['method', sent.delivery.method, shown.delivery.method],
    ['email', sent.delivery.email, shown.delivery.email],
    ['phone', isSameNumber(sent.delivery.phone, shown.delivery.phone), true],
    ['link', sent.delivery.method === 'link', shown.delivery.link !== undefined],
    ['recipient_name', personalization.recipient_name, shown.personalization.recipient_name],
    ['sender_name', personalization.sender_name ?? organizationName, shown.personalization.sender_name],
  ];
  return pairs.filter(([, one, other]) => one !== other).map(([field]) => `${field} came back altered`);
}

/** E.164 keeps the digits; of a number that is known to be valid a trunk prefix `(0)` goes. */
function isSameNumber(sent: string | undefined, shown: string | undefined): boolean {
  if (sent === undefined || shown === undefined) return sent === shown;
  const digits = sent.replace(/[^0-9]/g, '');
  const without = sent.replace(/\(0\)/, '').replace(/[^0-9]/g, '');
  return shown === `+${digits}` || shown === `+${without}`;
}
