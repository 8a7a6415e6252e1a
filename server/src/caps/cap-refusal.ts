import { dateOf } from 'bestow-readers/time.ts';
import { formatAmount } from '../base/format-money.ts';
import { BestowError } from '../errors.ts';

/** Of several, the one whose window ends last. As JSON, so times are texts. */
export interface ExceededCap {
  of: 'organization' | 'key' | 'recipient';
  period: 'hour' | 'day';
  cap_cents: number;
  window_started_at: string;
}

const PERIOD_MS = { hour: 3_600_000, day: 86_400_000 } as const;
const CAPS = {
  organization: 'The organization’s orders may cost',
  key: 'Orders with this API key may cost',
  recipient: 'Gifts to one recipient may be worth',
} as const;

/** Retrying helps after the window's end; a raised cap helps sooner. */
export function capRefusal(
  refused: 'order' | 'redirect',
  { of, period, cap_cents, window_started_at }: ExceededCap,
  now: Date,
  currency: string,
): BestowError {
  const end = new Date(dateOf(window_started_at).getTime() + PERIOD_MS[period]);
  const again = `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new BestowError('rate_limit_exceeded', {
    message: `${CAPS[of]} at most ${formatAmount(cap_cents, currency)} per ${period}; this ${refused} would exceed that. A new ${period} begins at ${again}.`,
    retryAfterSeconds: Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)),
  });
}
