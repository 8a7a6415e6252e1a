import type { StripeConfig } from '../stripe/settings.ts';

export const SMALLEST_TOPUP_CENTS = 1_000;
/** Stripe's largest amount is 999,999.99, with the fee. */
export const LARGEST_TOPUP_CENTS = 50_000_000;

/** Cents that a payment by card costs in addition, rounded up. */
export const cardFee = ({ basisPoints, cents }: StripeConfig['cardFee'], amountCents: number): number =>
  Math.ceil((amountCents * basisPoints) / 10_000) + cents;
