import { findPlaced } from '../../../core/orders/find-placed.ts';
import type { OrderInputBody } from '../../../core/orders/schema.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { fingerprintOf } from '../../../platform/base/fingerprint.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { AskedRow } from '../../gift-requests/agent-queries.ts';
import { askForOrder } from '../../gift-requests/ask-for-order.ts';
import { findAskedOrder } from '../../gift-requests/find-asked-order.ts';
import { findPreview } from '../../previews/find-preview.ts';
import { presentRequest } from '../present-request.ts';
import type { Act, Acting } from './act.ts';

const MESSAGES = {
  expired: 'This preview_token has expired, and no order was placed with it. Call preview_order again.',
  unknown:
    'This preview_token is not of this grant or API key and its environment, or expired more than a day ago. Call preview_order again and place the order with its token.',
  changed:
    'This preview_token belongs to another order. Send the token alone, or the order exactly as it was previewed, or call preview_order again.',
};

const refusal = (message: string) => new BestowError('parameter_invalid', { param: 'preview_token', message });

/**
 * Returns the order of the token if there is one, or its request, however old the token is: that path only reads, so it
 * cannot buy. Otherwise places the order that was previewed, or asks for it. An order beside the token must be the same.
 */
export const placeOrder: Act = async ({ given: { preview_token, ...body }, ...acting }) => {
  const { deps, request, call } = acting;
  const caller = callerOf(request);
  const token = String(preview_token);
  const sent = await readBeside(acting, token, body);
  const placed = await findPlaced(deps, caller, { idempotencyKey: token, body: sent });
  if (placed !== undefined) {
    if (!placed.hasSameBody)
      throw refusal(
        `This preview_token bought the order ${placed.orderId}, which is another one. Read it with get_order. To buy this one too, call preview_order again.`,
      );
    const found = await readPlaced(acting, placed.orderId);
    if (found !== undefined) return found;
  }
  const asking = caller.isAgent === true ? createAsking(acting, token, sent) : undefined;
  const { earlier, askAboveCents = null } = (await asking?.find()) ?? {};
  if (earlier !== undefined) return earlier;
  const order = await requirePreviewed(acting, token, sent);
  const place = () => call('createOrder', order, { idempotencyKey: token });
  if (asking === undefined) return place();
  const amountCents = order.gifts.reduce((sum, { amount }) => sum + amount, 0);
  const isAsking = askAboveCents !== null && amountCents > askAboveCents;
  return (isAsking ? await asking.ask(order) : undefined) ?? place().catch(asking.askIfRefused(order));
};

/** Some models send every argument: an empty one counts as left out. */
const isEmpty = (value: unknown) =>
  value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** The order beside the token; undefined if the token came alone. @throws BestowError if the order is incomplete */
async function readBeside(
  { deps, request, readOrder }: Pick<Acting, 'deps' | 'request' | 'readOrder'>,
  token: string,
  body: Acting['given'],
): Promise<OrderInputBody | undefined> {
  if (Object.values(body).every(isEmpty)) return undefined;
  try {
    return readOrder(body);
  } catch (error) {
    if (!(error instanceof BestowError)) throw error;
    const placed = await findPlaced(deps, callerOf(request), { idempotencyKey: token, body: undefined });
    throw placed === undefined
      ? refusal(`${error.message} Send the preview_token alone: it has the whole order.`)
      : refusal(`This preview_token bought the order ${placed.orderId}. Send the token alone to read it.`);
  }
}

/** What was previewed and may be placed now. @param sent undefined if the token came alone */
async function requirePreviewed(
  { deps, request }: Pick<Acting, 'deps' | 'request'>,
  token: string,
  sent: OrderInputBody | undefined,
): Promise<OrderInputBody> {
  const previewed = await findPreview(deps, callerOf(request), token);
  if (previewed === undefined) throw refusal(MESSAGES.unknown);
  if (sent !== undefined && fingerprintOf(sent) !== fingerprintOf(previewed.order)) throw refusal(MESSAGES.changed);
  if (previewed.isExpired) throw refusal(MESSAGES.expired);
  return previewed.order;
}

/** How an agent asks for an order that is above the amount of its grant. @param sent undefined if the token came alone */
function createAsking(acting: Omit<Acting, 'given'>, orderKey: string, sent: OrderInputBody | undefined) {
  const { deps, request } = acting;
  const caller = callerOf(request);

  async function present(asked: AskedRow): Promise<object> {
    const id = encodeId('ask', asked.request_id);
    if (sent !== undefined && asked.gift !== null && fingerprintOf(asked.gift) !== fingerprintOf(sent))
      throw refusal(
        `This preview_token asked for another order, the request ${id}. Read it with get_order_request. To order this one too, call preview_order again.`,
      );
    const placed = asked.order_id === null ? undefined : await readPlaced(acting, encodeId('ord', asked.order_id));
    return placed ?? presentRequest(deps, caller, asked);
  }

  /** The request or the order of the token, if there is one. */
  async function find() {
    const { asked, askAboveCents } = await findAskedOrder(deps, caller, orderKey);
    return { earlier: asked && (await present(asked)), askAboveCents };
  }

  /** Undefined if the order needs no approval now. */
  async function ask(order: OrderInputBody): Promise<object | undefined> {
    await askForOrder(deps, caller, { orderKey, order });
    return (await find()).earlier;
  }

  /** The amount may have been lowered since it was read. */
  const askIfRefused = (order: OrderInputBody) => async (error: unknown) => {
    const asked = error instanceof BestowError && error.code === 'not_granted' ? await ask(order) : undefined;
    if (asked === undefined) throw error;
    return asked;
  };

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
