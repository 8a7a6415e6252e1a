import { findPlaced } from '../../../core/orders/find-placed.ts';
import type { OrderInputBody } from '../../../core/orders/schema.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { fingerprintOf } from '../../../platform/base/fingerprint.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { AskedRow } from '../../gift-requests/agent-queries.ts';
import { askForOrder } from '../../gift-requests/ask-for-order.ts';
import { findAskedOrder } from '../../gift-requests/find-asked-order.ts';
import { presentRequest } from '../present-request.ts';
import type { Act, Acting } from './act.ts';

const MESSAGES = {
  expired: 'This preview_token has expired, and no order was placed with it. Call preview_order again.',
  foreign:
    'This preview_token does not belong to this order and API key. Send the order exactly as it was previewed, or call preview_order again and place the order with its token.',
};

const refusal = (message: string) => new BestowError('parameter_invalid', { param: 'preview_token', message });

/**
 * Returns the order of the token if there is one, or its request, however old the token is: that path only reads, so it
 * cannot buy. Places an order, or asks for it, only with a token of this order and key that has not expired.
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
  const asking = caller.isAgent === true ? createAsking(acting, token, order) : undefined;
  const { earlier, isAsking } = (await asking?.find()) ?? {};
  if (earlier !== undefined) return earlier;
  const state = deps.previewTokens.check(token, { scope: caller, firstKeyId, body }, deps.clock.now());
  if (state !== 'valid') throw refusal(MESSAGES[state]);
  const place = () => call('createOrder', order, { idempotencyKey: token });
  if (asking === undefined) return place();
  return (isAsking ? await asking.ask() : undefined) ?? place().catch(asking.askIfRefused);
};

/** How an agent asks for an order that is above the amount of its grant. */
function createAsking(acting: Omit<Acting, 'given'>, orderKey: string, order: OrderInputBody) {
  const { deps, request } = acting;
  const caller = callerOf(request);
  const amountCents = order.gifts.reduce((sum, { amount }) => sum + amount, 0);

  async function present(asked: AskedRow): Promise<object> {
    const id = encodeId('ask', asked.request_id);
    if (asked.gift !== null && fingerprintOf(asked.gift) !== fingerprintOf(order))
      throw refusal(
        `This preview_token asked for another order, the request ${id}. Read it with get_order_request. To order this one too, call preview_order again.`,
      );
    const placed = asked.order_id === null ? undefined : await readPlaced(acting, encodeId('ord', asked.order_id));
    return placed ?? presentRequest(deps, caller, asked);
  }

  /** The request or the order of the token, if there is one. */
  async function find() {
    const { asked, isAsking } = await findAskedOrder(deps, caller, { orderKey, amountCents });
    return { earlier: asked && (await present(asked)), isAsking };
  }

  /** Undefined if the order needs no approval now. */
  async function ask(): Promise<object | undefined> {
    await askForOrder(deps, caller, { orderKey, order });
    return (await find()).earlier;
  }

  /** The amount may have been lowered since it was read. */
  async function askIfRefused(error: unknown): Promise<object> {
    const asked = error instanceof BestowError && error.code === 'not_granted' ? await ask() : undefined;
    if (asked === undefined) throw error;
    return asked;
  }

  return { find, ask, askIfRefused };
}

/** Undefined if a reset of the sandbox has deleted the order since. */
async function readPlaced({ call }: Pick<Acting, 'call'>, orderId: string): Promise<object | undefined> {
  try {
    return await call('retrieveOrder', { order_id: orderId });
  } catch (error) {
    if (error instanceof BestowError && error.code === 'resource_missing') return undefined;
    throw error;
  }
}
