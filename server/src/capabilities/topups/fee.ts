import type { StripeConfig } from '../../platform/configuration/stripe-settings.ts';

export const SMALLEST_TOPUP_CENTS = 1_000;
/** Stripe's largest amount is 999,999.99, with the fee. */
export const LARGEST_TOPUP_CENTS = 50_000_000;

/** Cents that a payment by card costs in addition, rounded up. */
export const cardFee = ({ basisPoints, cents }: StripeConfig['cardFee'], amountCents: number): number =>
  Math.ceil((amountCents * basisPoints) / 10_000) + cents;

/** Returns the amount that was paid with its fee; the whole payment if no amount has this sum. */
export function amountWithFee(fee: StripeConfig['cardFee'], paidCents: number): number {
  const about = Math.floor(((paidCents - fee.cents) * 10_000) / (10_000 + fee.basisPoints));
  return [about - 1, about, about + 1].find((cents) => cents + cardFee(fee, cents) === paidCents) ?? paidCents;
}
