import parsePhoneNumber from 'libphonenumber-js';
import type { DeliveryBody } from './schema.ts';

/** Where a gift goes, as it is stored: an email as it was sent, a number in E.164, null for a link. */
export interface Destination {
  method: 'email' | 'phone' | 'link';
  address: string | null;
}

/** What stands in the place of an address that was erased; no email and no number looks like it. */
export const ERASED_ADDRESS = 'erased';

export function destination(delivery: DeliveryBody): Destination {
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
 * E.164 where the number is known to be valid (`+44 (0)20 …` loses its 0), else the digits as sent: no list of numbering
 * plans is ever complete, and nothing that could be a number is refused.
 */
function normalizePhone(phone: string): string {
  const digits = phone.replace(/[ ()-]/g, '');
  const parsed = parsePhoneNumber(digits);
  return parsed?.isValid() ? parsed.number : digits;
}
