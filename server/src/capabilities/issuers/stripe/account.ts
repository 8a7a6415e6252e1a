import type { Clock } from '../../../platform/base/clock.ts';
import type { StripeClient } from '../../stripe/open-stripe.ts';
import type { StripeIssuerSettings } from './settings.ts';

/** The Stripe account that issues an organization's cards. */
export interface StripeAccount {
  settings: StripeIssuerSettings;
  clock: Clock;
  /** Loads the library with the first call. */
  client(): Promise<StripeClient>;
}

/** Stripe's error of a request; undefined if there was no answer. */
interface StripeRefusal {
  statusCode: number;
  type: string;
  code: string | undefined;
  param: string | undefined;
}

export const refusalOf = (error: unknown): StripeRefusal | undefined =>
  typeof error === 'object' && error !== null && typeof (error as StripeRefusal).statusCode === 'number'
    ? (error as StripeRefusal)
    : undefined;

/** Of what people entered, or of the settings. Conflicts, limits and failures of Stripe are not. */
export const isInvalid = (refusal: StripeRefusal | undefined): refusal is StripeRefusal =>
  refusal !== undefined &&
  (refusal.statusCode === 400 || refusal.statusCode === 402) &&
  refusal.type !== 'StripeIdempotencyError';

/** Stops waiting for a call when the signal says so; the library cannot end it. @throws `AbortError` */
export function until<Result>(signal: AbortSignal, call: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([call, promise]).finally(() => signal.removeEventListener('abort', stop));
}
