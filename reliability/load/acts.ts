import { pick } from '../faults/random.ts';
import type { Call, LoadClient } from './client.ts';
import { composeOrder } from './compose-order.ts';
import { type OrganizationState, remember, rememberGift, type SentOrder } from './state.ts';

export interface ActContext {
  client: LoadClient;
  state: OrganizationState;
  random: () => number;
  /** Returns an unused key. */
  nextKey(): string;
  /** Whether some addresses keep an order `processing`. */
  steers: boolean;
  /** Fills the balance after a reset. */
  fund(state: OrganizationState): Promise<void>;
}

type Act = (context: ActContext) => Promise<void>;

/** The acts of clients and their weights. */
export const acts = {
  placeOrder: { parts: 30, act: placeOrder },
  replay: { parts: 12, act: replay },
  retrieveOrder: { parts: 6, act: retrieveOrder },
  retrieveGift: { parts: 12, act: retrieveGift },
  list: { parts: 6, act: list },
  press: { parts: 10, act: press },
  claim: { parts: 6, act: (context) => simulate(context, 'claim') },
  spend: { parts: 3, act: (context) => simulate(context, 'spend') },
  fail: { parts: 5, act: (context) => simulate(context, 'deliver', { outcome: 'failed' }) },
  redirect: { parts: 8, act: redirect },
  reset: { parts: 12, act: reset },
} satisfies Record<string, { parts: number; act: Act }>;

export type ActName = keyof typeof acts;

const orderCall = ({ state }: ActContext, { idempotencyKey, body }: SentOrder, operation: Call['operation']): Call => ({
  organization: state.organization,
  operation,
  method: 'POST',
  path: '/v1/orders',
  idempotencyKey,
  request: body,
});

const giftCall = (
  { state }: ActContext,
  giftId: string,
  rest: Pick<Call, 'operation' | 'method' | 'path' | 'request'>,
) => ({ organization: state.organization, subjectId: giftId, ...rest }) satisfies Call;

async function placeOrder(context: ActContext): Promise<void> {
  const { state, client, random, nextKey } = context;
  const order = composeOrder(state, random, { key: nextKey(), steers: context.steers });
  const outcome = await client.untilKnown(orderCall(context, order, 'placeOrder'));
  if (outcome.kind !== 'ok') return;
  const { order_id, gifts } = outcome.answer as { order_id: string; gifts: Parameters<typeof rememberGift>[1][] };
  remember(state.orders, { ...order, orderId: order_id });
  for (const gift of gifts) rememberGift(state, gift);
}

async function replay(context: ActContext): Promise<void> {
  if (context.state.orders.length === 0) return;
  await context.client.untilKnown(orderCall(context, pick(context.random, context.state.orders), 'replay'));
}

async function retrieveOrder(context: ActContext): Promise<void> {
  const { state, client, random } = context;
  if (state.orders.length === 0) return;
  const { orderId = '' } = pick(random, state.orders);
  const path = `/v1/orders/${orderId}`;
  await client.once({
    organization: state.organization,
    subjectId: orderId,
    operation: 'retrieveOrder',
    method: 'GET',
    path,
  });
}

/** Opens the returned link immediately (I10). */
async function retrieveGift(context: ActContext): Promise<void> {
  const { state, client, random } = context;
  if (state.gifts.length === 0) return;
  const { giftId } = pick(random, state.gifts);
  const path = `/v1/gifts/${giftId}`;
  const outcome = await client.once(giftCall(context, giftId, { operation: 'retrieveGift', method: 'GET', path }));
  if (outcome.kind !== 'ok') return;
  const { link } = (outcome.answer as { delivery: { link?: string } }).delivery;
  if (link === undefined) return;
  const linkPath = link.slice(link.indexOf('/g/'));
  await client.page(giftCall(context, giftId, { operation: 'openPage', method: 'GET', path: linkPath }));
}

async function list({ state, client, random }: ActContext): Promise<void> {
  const isOrders = random() < 0.5;
  const path = `/v1/${isOrders ? 'orders' : 'gifts'}?limit=${pick(random, [1, 10, 30])}`;
  const operation = isOrders ? 'listOrders' : 'listGifts';
  await client.once({ organization: state.organization, operation, method: 'GET', path });
}

/** A recipient unwraps or claims on the page. */
async function press(context: ActContext): Promise<void> {
  const { state, client, random } = context;
  const linked = state.gifts.filter(({ linkPath }) => linkPath !== undefined);
  if (linked.length === 0) return;
  const { giftId, linkPath } = pick(random, linked);
  const isClaim = random() < 0.4;
  const path = `${linkPath}/${isClaim ? 'claim' : 'open'}`;
  const operation = isClaim ? 'pressClaim' : 'pressOpen';
  await client.page(giftCall(context, giftId, { operation, method: 'POST', path }));
}

const isSandbox = ({ state }: ActContext) => state.organization.environment === 'sandbox';

async function simulate(
  context: ActContext,
  operation: 'deliver' | 'claim' | 'spend',
  request?: object,
): Promise<void> {
  const { state, client, random } = context;
  if (!isSandbox(context) || state.gifts.length === 0) return;
  const { giftId } = pick(random, state.gifts);
  const call = giftCall(context, giftId, {
    operation,
    method: 'POST',
    path: `/v1/sandbox/gifts/${giftId}/${operation}`,
    request,
  });
  // Sometimes two at once: at most one of two claims may succeed.
  await Promise.all(random() < 0.2 ? [client.once(call), client.once(call)] : [client.once(call)]);
}

async function redirect(context: ActContext): Promise<void> {
  const { state, client, random } = context;
  const sent = state.gifts.filter(({ method }) => method !== 'link');
  if (sent.length === 0) return;
  const { giftId } = pick(random, sent);
  state.sentGifts += 1;
  const { number, environment } = state.organization;
  const email = `o${number}${environment === 'live' ? 'l' : 's'}-${state.sentGifts}-again@people.example`;
  const path = `/v1/gifts/${giftId}/delivery`;
  const request = { method: 'email', email };
  await client.once(giftCall(context, giftId, { operation: 'redirect', method: 'PUT', path, request }));
}

async function reset(context: ActContext): Promise<void> {
  const { state, client, fund } = context;
  if (!isSandbox(context) || !state.organization.resets) return;
  const path = '/v1/sandbox/reset';
  await client.once({ organization: state.organization, operation: 'reset', method: 'POST', path });
  await fund(state);
}
