import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IssuerCall } from '../../../core/issuer/port.ts';
import { isEventText } from '../../../platform/base/storable.ts';

const TOLERANCE_MS = 300_000;
const PREFIX = 'whsec_';

/** Checks a signature of Standard Webhooks that is at most five minutes old. @returns its id; undefined if it is forged */
export function verifiedId(
  { headers, body }: IssuerCall,
  secrets: readonly string[],
  nowMs: number,
): string | undefined {
  const id = String(headers['webhook-id'] ?? '');
  const seconds = String(headers['webhook-timestamp'] ?? '');
  const given = String(headers['webhook-signature'] ?? '')
    .split(' ')
    .map((one) => Buffer.from(one));
  if (!isEventText(id) || !/^\d{1,12}$/.test(seconds) || Math.abs(nowMs - Number(seconds) * 1_000) > TOLERANCE_MS)
    return undefined;
  const isSigned = secrets.some((secret) => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`);
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  return isSigned ? id : undefined;
}
