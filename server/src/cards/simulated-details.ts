import { createHash } from 'node:crypto';
import type { Card, CardDetails } from './issuer.ts';

const BRAND = 'Bestow Test';
/**
 * ISO/IEC 7812 gives numbers that begin with 9 and a country's ISO 3166 code to that country's standards body. 999 is no
 * country's, so no network carries such a number, and no real card has it: unlike numbers made up under a brand's prefix.
 */
const TEST_PREFIX = '999999';
const YEARS_VALID = 4;

/**
 * Everything on a simulated card follows from its id, so it is the same on every process and is stored nowhere. No secret
 * goes into it: the number opens nothing anywhere (spending asks for the gift's link), and one that followed from
 * LINK_SECRET would change under its holder when that secret is replaced.
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

/** The last digits of a value; of 2^48 values each is as likely as the other, to one in 281,000. */
const digits = (value: number, count: number) => String(value % 10 ** count).padStart(count, '0');

/** The digit that makes the number pass the check that every shop's form makes (ISO/IEC 7812-1, annex B). */
function luhnDigit(payload: string): string {
  const sum = [...payload].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
