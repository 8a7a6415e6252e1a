import { createHash } from 'node:crypto';
import type { Card, CardDetails } from '../../../core/issuer/port.ts';

const BRAND = 'Bestow Test';
/** ISO/IEC 7812 assigns 9 + an ISO 3166 code to that country. 999 is unassigned, so no real card has this prefix. */
const TEST_PREFIX = '999999';
const YEARS_VALID = 4;

/**
 * Derives a simulated card's details from its id, so that nothing is stored. No secret is needed: spending needs the gift's
 * link, not the number. With LINK_SECRET, the number would change when the secret is replaced.
 */
export function simulatedDetails({ cardId, claimedAt }: Pick<Card, 'cardId' | 'claimedAt'>): CardDetails {
  const hash = createHash('sha256').update(`simulated card ${cardId}`).digest();
  const account = digits(hash.readUIntBE(0, 6), 9);
  const number = TEST_PREFIX + account + luhnDigit(TEST_PREFIX + account);
  return {
    brand: BRAND,
    number,
    lastFour: number.slice(-4),
    securityCode: digits(hash.readUIntBE(6, 6), 3),
    expires: { month: claimedAt.getUTCMonth() + 1, year: claimedAt.getUTCFullYear() + YEARS_VALID },
  };
}

const digits = (value: number, count: number) => String(value % 10 ** count).padStart(count, '0');

/** Returns the Luhn check digit (ISO/IEC 7812-1, annex B). */
function luhnDigit(payload: string): string {
  const sum = [...payload].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
