import { callerOf } from '../../authentication/caller.ts';
import { BestowError } from '../../errors.ts';
import { findPlaced } from '../../orders/find-placed.ts';
import type { Act, Acting } from './act.ts';

const MESSAGES = {
  expired: 'This preview_token has expired, and no order was placed with it. Call preview_order again.',
  foreign:
    'This preview_token does not belong to this order and API key. Send the order exactly as it was previewed, or call preview_order again and place the order with its token.',
};

const refusal = (message: string) => new BestowError('parameter_invalid', { param: 'preview_token', message });

/**
 * Returns the order of the token if there is one, however old the token is: that path only reads, so it cannot buy. Places
 * an order only with a token of this order and key that has not expired.
 */
export const placeOrder: Act = async ({ given: { preview_token, ...body }, ...acting }) => {
  const { deps, request, call, readOrder } = acting;
  const caller = callerOf(request);
  const token = String(preview_token);
  const order = readOrder(body);
  const { firstKeyId, placed } = await findPlaced(deps, caller, { idempotencyKey: token, body: order });
  if (placed !== undefined) {
    if (!placed.hasSameBody)
      throw refusal(
        `This preview_token bought the order ${placed.orderId}, which is another one. Read it with get_order. To buy this one too, call preview_order again.`,
      );
    const found = await readPlaced(acting, placed.orderId);
    if (found !== undefined) return found;
  }
  const state = deps.previewTokens.check(token, { scope: caller, firstKeyId, body }, deps.clock.now());
  if (state !== 'valid') throw refusal(MESSAGES[state]);
  return call('createOrder', order, { idempotencyKey: token });
};

/** Undefined if a reset of the sandbox has deleted the order since. */
async function readPlaced({ call }: Pick<Acting, 'call'>, orderId: string): Promise<object | undefined> {
  try {
    return await call('retrieveOrder', { order_id: orderId });
  } catch (error) {
    if (error instanceof BestowError && error.code === 'resource_missing') return undefined;
    throw error;
  }
}
