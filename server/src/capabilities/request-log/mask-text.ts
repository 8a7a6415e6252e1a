import { steeringAddresses } from '../../core/sandbox/steering.ts';

/** Ids of this service, also truncated, and UUIDs. */
const ID =
  /^(?:(?:org|mem|key|ord|gift|led|card|req|evt|wh)_[0-9A-Za-z]{0,40}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
/** Too short for a phone number. */
const SHORT_NUMBER = /^[+-]?[0-9][0-9.,]{0,5}$/;
const EMAIL = /^[^\s@]{1,64}@((?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63})$/;
const PHONE = /^\+?[0-9 ().\-/]{7,40}$/;
const STEERING_NUMBERS = new Set(steeringAddresses.map(({ phone }) => phone));
/** A plausible field name: not an address or an API key. */
const FIELD_NAME = /^(?!sk_|.{0,39}[0-9]{7})[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

const MASK = '•••';

/**
 * Masks a text so that its sender recognizes it but no person is named: `a•••@example.com`, `+1••••••0100`, `A•••`. Keeps
 * short numbers, ids and the sandbox's addresses.
 *
 * @param mailDomain the sandbox's
 */
export function maskText(text: string, mailDomain: string): string {
  if (SHORT_NUMBER.test(text) || ID.test(text)) return text;
  const domain = text.length <= 254 ? EMAIL.exec(text)?.[1] : undefined;
  if (domain !== undefined) return domain.toLowerCase() === mailDomain ? text : `${firstLetter(text)}${MASK}@${domain}`;
  return PHONE.test(text) ? maskPhone(text) : `${firstLetter(text)}${MASK}`;
}

/** Masks a field name unless it is plausible. */
export function maskFieldName(name: string, mailDomain: string): string {
  return FIELD_NAME.test(name) ? name : maskText(name, mailDomain);
}

function maskPhone(text: string): string {
  const digits = text.replace(/[^0-9]/g, '');
  if (STEERING_NUMBERS.has(`+${digits}`)) return text;
  const shown = digits.length < 10 ? digits.slice(-2) : digits.slice(-4);
  return `${text.startsWith('+') ? text.slice(0, 2) : ''}••••••${shown}`;
}

/** Empty for a single character, and for characters that PostgreSQL refuses. */
const firstLetter = (text: string) => /^([\p{L}\p{N}])[^@]/u.exec(text)?.[1] ?? '';
