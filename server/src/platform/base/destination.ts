import parsePhoneNumber from 'libphonenumber-js';
import type { Environment } from './environment.ts';

/** A gift's address as stored: an email as given, a phone number in E.164, null for a link. */
export interface Destination {
  method: 'email' | 'phone' | 'link';
  address: string | null;
}

/** An address as a request names it. */
type Named = { method: 'email'; email: string } | { method: 'phone'; phone: string } | { method: 'link' };

export function destination(delivery: Named): Destination {
  switch (delivery.method) {
    case 'email':
      return { method: 'email', address: delivery.email };
    case 'phone':
      return { method: 'phone', address: normalizePhone(delivery.phone) };
    case 'link':
      return { method: 'link', address: null };
  }
}

/**
 * Returns E.164 if the library knows the number (`+44 (0)20 …` loses its 0), else the digits as given: no list of numbering
 * plans is complete.
 */
function normalizePhone(phone: string): string {
  const digits = phone.replace(/[ ()-]/g, '');
  const parsed = parsePhoneNumber(digits);
  return parsed?.isValid() ? parsed.number : digits;
}

/** Real money must not go to an address that cannot exist (docs/decisions.md#orders). */
export function isImpossibleLiveAddress(
  environment: Environment,
  mailDomain: string,
  { method, address }: Destination,
): boolean {
  return environment === 'live' && method === 'email' && address !== null && isInMailDomain(mailDomain, address);
}

export function isInMailDomain(mailDomain: string, email: string): boolean {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase() === mailDomain;
}
