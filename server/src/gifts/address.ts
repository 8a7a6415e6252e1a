import parsePhoneNumber from 'libphonenumber-js';
import type { DeliveryBody } from './schema.ts';

/** A gift's address as stored: an email as given, a phone number in E.164, null for a link. */
export interface Destination {
  method: 'email' | 'phone' | 'link';
  address: string | null;
}

/** Replaces an erased address; not a valid email or phone number. */
export const ERASED_ADDRESS = 'erased';

/** Replaces the fingerprint of an order with an erased address, which it would confirm: it fits every body. As SQL text. */
export const ERASED_FINGERPRINT = `\\x${'00'.repeat(32)}`;

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
 * Returns E.164 if the library knows the number (`+44 (0)20 …` loses its 0), else the digits as given: no list of numbering
 * plans is complete.
 */
function normalizePhone(phone: string): string {
  const digits = phone.replace(/[ ()-]/g, '');
  const parsed = parsePhoneNumber(digits);
  return parsed?.isValid() ? parsed.number : digits;
}
