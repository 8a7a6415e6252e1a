import { InvalidArgumentError } from 'commander';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '../gifts/address-patterns.ts';

// Parsers of command line arguments. An invalid argument exits with code 2.

const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const EMAIL = new RegExp(EMAIL_PATTERN);
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Parses one line of text; counts code points. */
function textUpTo(max: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    const length = [...trimmed].length;
    if (length === 0 || length > max || CONTROL_CHARACTER.test(trimmed))
      throw new InvalidArgumentError(`It must be 1 to ${max} characters on one line.`);
    return trimmed;
  };
}

export const parseName = textUpTo(200);
export const parseReference = textUpTo(200);
export const parseText = textUpTo(1000);

export function parseEmail(text: string): string {
  if (text.length > EMAIL_MAX_LENGTH || !EMAIL.test(text))
    throw new InvalidArgumentError('It must be an email address such as name@example.com.');
  return text;
}

/** @returns cents, 1 to 9,007,199,254,740,991 */
export function parseAmount(text: string): number {
  const amountCents = Number(text);
  if (!/^\d{1,16}$/.test(text) || amountCents === 0 || !Number.isSafeInteger(amountCents))
    throw new InvalidArgumentError(`It must be a whole number of cents from 1 to ${Number.MAX_SAFE_INTEGER}.`);
  return amountCents;
}

/** @returns cents, positive or negative, not zero */
export function parseSignedAmount(text: string): number {
  const amountCents = Number(text);
  if (!/^[+-]?\d{1,16}$/.test(text) || amountCents === 0 || !Number.isSafeInteger(amountCents))
    throw new InvalidArgumentError('It must be a whole number of cents, positive or negative, and not 0.');
  return amountCents;
}

export function parseCategoryId(text: string): string {
  if (!SLUG.test(text))
    throw new InvalidArgumentError(
      'It must be 1 to 63 lowercase letters, digits and dashes, and not start with a dash.',
    );
  return text;
}

/** Parses the URL of a picture or page: https, or a path of this service. */
export function parseAddress(text: string): string {
  const isPath = /^\/[^/\\\s]\S*$/.test(text);
  const isSecureAddress = URL.canParse(text) && new URL(text).protocol === 'https:' && !/\s/.test(text);
  if (text.length > 2000 || !(isPath || isSecureAddress))
    throw new InvalidArgumentError('It must start with https://, or with / for a path of this service.');
  return text;
}

export function parsePosition(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999.');
  return Number(text);
}

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}
