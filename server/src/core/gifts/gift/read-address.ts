import { destination } from '../../../platform/base/destination.ts';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, PHONE_PATTERN } from './address-patterns.ts';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
const PHONE = new RegExp(PHONE_PATTERN, 'u');

/** A whole email address as given, or a phone number in E.164. */
export interface Address {
  method: 'email' | 'phone';
  address: string;
}

/** Reads a whole email address or phone number; undefined for any other text. */
export function readDestination(text: string): Address | undefined {
  if (text.length > EMAIL_MAX_LENGTH) return undefined;
  if (EMAIL.test(text)) return { method: 'email', address: text };
  if (!PHONE.test(text)) return undefined;
  return { method: 'phone', address: destination({ method: 'phone', phone: text }).address ?? '' };
}

/** Returns a whole address in lower case, by which an index finds gifts; undefined for any other text. */
export const readAddress = (text: string): string | undefined => readDestination(text)?.address.toLowerCase();

/** The same for what a person types: a number may begin with `00` instead of `+`. */
export const readTypedAddress = (text: string): string | undefined =>
  readAddress(text) ?? readAddress(text.replace(/^00(?=[1-9])/, '+'));
