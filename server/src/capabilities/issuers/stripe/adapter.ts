import { openStripe, type StripeClient } from '../../stripe/open-stripe.ts';
import type { Adapter } from '../adapter.ts';
import type { StripeAccount } from './account.ts';
import { readSettings } from './settings.ts';
import { stripeIssuer } from './stripe-issuer.ts';

/** Virtual cards of Stripe Issuing. */
export const stripe: Adapter = {
  create(values, _scope, { clock }) {
    const read = readSettings(values);
    let opening: Promise<StripeClient> | undefined;
    const account: StripeAccount = {
      settings: read,
      clock,
      client() {
        const { secretKey, apiBase } = read;
        opening ??= openStripe({ secretKey, apiBase });
        return opening;
      },
    };
    return stripeIssuer(account);
  },
};
