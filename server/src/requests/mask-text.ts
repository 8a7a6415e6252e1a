import { steeringAddresses } from '../sandbox/steering.ts';

/** Ids of this service, whole or cut off, and UUIDs: nobody's name. */
const ID =
  /^(?:(?:org|mem|key|ord|gift|led|card|req|evt)_[0-9A-Za-z]{0,40}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
/** An amount or a limit, too short for a phone number. */
const SHORT_NUMBER = /^[+-]?[0-9][0-9.,]{0,5}$/;
const EMAIL = /^[^\s@]{1,64}@((?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63})$/;
const PHONE = /^\+?[0-9 ().\-/]{7,40}$/;
const STEERING_NUMBERS = new Set(steeringAddresses.map(({ phone }) => phone));
/** What a field is called: never an address, and no key of ours or of those before. */
const FIELD_NAME = /^(?!sk_|.{0,39}[0-9]{7})[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

const MASK = '•••';

/**
 * A text that somebody sent, so that they know it again and nobody is named: `a•••@example.com`, `+1••••••0100`, `A•••`.
 * Numbers and ids stay, and the sandbox's own addresses, which are no person's.
 *
 * @param mailDomain the sandbox's
 */
export function maskText(text: string, mailDomain: string): string {
  if (SHORT_NUMBER.test(text) || ID.test(text)) return text;
  const domain = text.length <= 254 ? EMAIL.exec(text)?.[1] : undefined;
  if (domain !== undefined) return domain.toLowerCase() === mailDomain ? text : `${firstLetter(text)}${MASK}@${domain}`;
  return PHONE.test(text) ? maskPhone(text) : `${firstLetter(text)}${MASK}`;
}

/** A field's name as it was sent, or masked where it could be something else. */
export function maskFieldName(name: string, mailDomain: string): string {
  return FIELD_NAME.test(name) ? name : maskText(name, mailDomain);
}

function maskPhone(text: string): string {
  const digits = text.replace(/[^0-9]/g, '');
  if (STEERING_NUMBERS.has(`+${digits}`)) return text;
  const shown = digits.length < 10 ? digits.slice(-2) : digits.slice(-4);
  return `${text.startsWith('+') ? text.slice(0, 2) : ''}••••••${shown}`;
}

/** Of a text of several characters; nothing that PostgreSQL would refuse. */
const firstLetter = (text: string) => /^([\p{L}\p{N}])[^@]/u.exec(text)?.[1] ?? '';
