/** As Stripe's library names them: no answer, an answer of 5xx, and too many requests. */
const UNAVAILABLE = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError'];

/** Whether Stripe did not answer, or could not. */
export const isUnavailable = (error: unknown) =>
  error instanceof Error && UNAVAILABLE.includes(String((error as { type?: unknown }).type));
