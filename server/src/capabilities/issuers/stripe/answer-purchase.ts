import { Stripe } from 'stripe';
import type { Authorization, CallAnswer, IssuerCall } from '../../../core/issuer/port.ts';
import { verifiedEvent } from '../../stripe/verified-event.ts';
import type { StripeAccount } from './account.ts';
import { timeOf } from './read-facts.ts';

/** Answers Stripe's question, which waits two seconds, with a yes only if it is in our currency and the judge says so. */
export async function answerPurchase(
  account: StripeAccount,
  call: IssuerCall,
  judge: (authorization: Authorization) => Promise<boolean>,
): Promise<CallAnswer> {
  const { authorizationSecrets, currency } = account.settings;
  const event = verifiedEvent(Stripe, call, authorizationSecrets, account.clock.now());
  if (event === undefined) return { status: 401, headers: {}, body: '' };
  if (event.type !== 'issuing_authorization.request') return answer(false);
  const { id, card, pending_request: asked, merchant_data, request_history } = event.data.object;
  if (asked === null || asked === undefined || asked.currency !== currency) return answer(false);
  return answer(
    await judge({
      // A hold has one question for each increment; those before it were answered.
      authorizationId: `${id}:${request_history.length}`,
      holdId: id,
      providerId: card.id,
      amountCents: asked.amount,
      merchant: merchant_data.name ?? '',
      at: timeOf(event.created, { answers: request_history.length, isQuestion: true }),
    }),
  );
}

const answer = (approved: boolean): CallAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'stripe-version': Stripe.API_VERSION },
  body: JSON.stringify({ approved }),
});
