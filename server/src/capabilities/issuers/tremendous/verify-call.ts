import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IssuerCall } from '../../../core/issuer/port.ts';
import { isEventText } from '../../../platform/base/storable.ts';

/**
 * Checks the signature of a webhook, which covers its body. It has no time: an event that comes again has the same id, and
 * its facts are asked for.
 *
 * @returns the event's id; undefined if it is forged
 */
export function verifiedId({ headers, body }: IssuerCall, secrets: readonly string[]): string | undefined {
  const given = Buffer.from(String(headers['tremendous-webhook-signature'] ?? ''));
  const isSigned = secrets.some((secret) => {
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) return undefined;
  try {
    const { uuid } = JSON.parse(body) as { uuid?: unknown };
    return isEventText(uuid) ? uuid : undefined;
  } catch {
    return undefined;
  }
}
