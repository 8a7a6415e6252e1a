import { BestowError } from '../../../platform/base/errors.ts';
import { readDelivery } from '../read-delivery.ts';
import type { Act } from './act.ts';
import { withLastSent } from './sent-gift.ts';

export const redirectGift: Act = async (acting) => {
  const { delivery, ...given } = acting.given;
  const redirected = { ...given, delivery: readDelivery(delivery, 'delivery') };
  const answer = await acting
    .call('redirectGift', redirected, { bodyArgument: 'delivery' })
    .catch((error: unknown) => Promise.reject(ofArgument(error)));
  return withLastSent(acting, answer);
};

/** The operation's body is an argument of the tool. */
function ofArgument(error: unknown): unknown {
  if (!(error instanceof BestowError) || error.param === undefined || error.param === 'gift_id') return error;
  const param = `delivery.${error.param}`;
  return new BestowError(error.code, { param, message: error.message.replace(error.param, () => param) });
}
