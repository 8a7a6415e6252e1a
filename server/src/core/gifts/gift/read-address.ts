import { destination } from '../../../platform/base/destination.ts';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, PHONE_PATTERN } from './address-patterns.ts';

const EMAIL = new RegExp(EMAIL_PATTERN);
const PHONE = new RegExp(PHONE_PATTERN);

/**
 * Returns a whole email address in lower case, or a phone number as gifts have it, by which an index finds gifts; undefined if
 * the text is no whole address. A number may begin with `00` instead of `+`.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > EMAIL_MAX_LENGTH) return undefined;
  if (EMAIL.test(text)) return text.toLowerCase();
  const phone = text.replace(/^00(?=[1-9])/, '+');
  return PHONE.test(phone) ? (destination({ method: 'phone', phone }).address ?? undefined) : undefined;
}
