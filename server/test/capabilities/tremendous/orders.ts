import { isDeepStrictEqual } from 'node:util';
import type {
  CreateOrder200Response,
  GenerateRewardLink200Response,
  GetOrder200Response,
  GetReward200Response,
  ListOrders200Response,
  ListProductsResponseProductsInner,
  ListRewards200Response,
  SingleRewardOrder,
} from 'tremendous';
import { assertCovered, cancelReward, execute, newLink } from './acts.ts';
import { type Answer, answer, type Handlers, isWithin, page } from './calls.ts';
import { takes } from './catalog.ts';
import { found, Refusal } from './refusal.ts';
import { newId, type Order, type Reward, type State } from './state.ts';

const LIMITS = { orders: { default: 10, maximum: 500 }, rewards: { default: 100, maximum: 500 } };

export const orderHandlers: Handlers = {
  'POST /orders': (state, { body }) => createOrder(state, body as SingleRewardOrder),
  'GET /orders': ({ orders }, { query }) => {
    const externalId = query.get('external_id');
    const campaignId = query.get('campaign_id');
    const matching = [...orders.values()].filter(
      ({ external_id, campaign_id, created_at }) =>
        (externalId === null || external_id === externalId) &&
        (campaignId === null || campaign_id === campaignId) &&
        isWithin(query, 'created_at', created_at),
    );
    return answer<ListOrders200Response>({
      orders: page(matching.reverse(), query, LIMITS.orders),
      total_count: matching.length,
    });
  },
  'GET /orders/ID': (state, { id }) =>
    answer<GetOrder200Response>({ order: found(state.orders.get(id) ?? orderWith(state, id)) }),
  'GET /rewards': ({ rewards }, { query }) => {
    const all = [...rewards.values()].reverse();
    return answer<ListRewards200Response>({ rewards: page(all, query, LIMITS.rewards), total_count: all.length });
  },
  'GET /rewards/ID': ({ rewards }, { id }) => answer<GetReward200Response>({ reward: found(rewards.get(id)) }),
  'POST /rewards/ID/cancel': (state, { id }) => {
    cancelReward(state, id);
    return answer({});
  },
  'POST /rewards/ID/generate_link': (state, { id }) => {
    const { status } = found(state.redemptions.get(id));
    if (status === 'canceled' || status === 'pending')
      throw new Refusal(403, `A reward that is ${status} has no link.`);
    return answer<GenerateRewardLink200Response>({ reward: { id, link: newLink(state, id) } });
  },
};

const orderWith = ({ orders }: State, externalId: string): Order | undefined =>
  [...orders.values()].find(({ external_id }) => external_id === externalId);

/** Buys once for each `external_id`. Only the answer to the first request contains the link. */
function createOrder(state: State, request: SingleRewardOrder): Answer {
  const known = request.external_id == null ? undefined : orderWith(state, request.external_id);
  if (known !== undefined) {
    if (isDeepStrictEqual(state.requests.get(known.id), request))
      return answer<CreateOrder200Response>({ order: known }, 201);
    throw new Refusal(409, 'Another order has this external_id.', { external_id: 'It is in use.' });
  }
  const order = newOrder(state, request);
  const [reward] = order.rewards;
  const products = allowedProducts(state, request, reward.value);
  assertCovered(state, order);
  state.orders.set(order.id, order);
  state.requests.set(order.id, request);
  state.rewards.set(reward.id, reward);
  state.redemptions.set(reward.id, { status: 'pending', products, token: undefined });
  if (state.pending !== undefined) return answer<CreateOrder200Response>({ order });
  execute(state, order);
  const link = newLink(state, reward.id);
  const delivery = { method: 'LINK', status: 'SUCCEEDED', link } as const;
  return answer<CreateOrder200Response>({ order: { ...order, rewards: [{ ...reward, delivery }] } });
}

function newOrder(state: State, { external_id, payment, reward: asked }: SingleRewardOrder): Order {
  if (payment?.funding_source_id === undefined || !state.hasFundingSource(payment.funding_source_id))
    throw invalid({ payment: { funding_source_id: 'There is no such funding source.' } });
  if (asked?.delivery?.method !== 'LINK')
    throw invalid({ reward: { delivery: { method: 'The fake knows LINK only.' } } });
  const value = checkedValue(state, asked.value);
  const [id, created_at] = [newId(), state.time()];
  const reward: Reward = {
    id: newId(),
    order_id: id,
    created_at,
    expires_at: null,
    value,
    delivery: { method: 'LINK', status: 'PENDING' },
  };
  if (asked.recipient !== undefined) reward.recipient = asked.recipient;
  if (asked.custom_fields !== undefined) reward.custom_fields = asked.custom_fields;
  const rate = value.currency_code === state.currency ? 1 : state.rate;
  const subtotalCents = Math.round(value.denomination * 100 * rate);
  return {
    id,
    external_id: external_id ?? null,
    campaign_id: asked.campaign_id ?? null,
    created_at,
    status: state.pending ?? 'OPEN',
    channel: 'API',
    payment: {
      subtotal: subtotalCents / 100,
      total: (subtotalCents + state.feeCents) / 100,
      fees: state.feeCents / 100,
      discount: 0,
      currency_code: state.currency,
    },
    rewards: [reward],
  };
}

function checkedValue({ currency }: State, value: SingleRewardOrder['reward']['value']): Reward['value'] {
  const denomination = value?.denomination;
  if (typeof denomination !== 'number' || denomination <= 0 || Number(denomination.toFixed(2)) !== denomination)
    throw invalid({ reward: { value: { denomination: 'This is not a positive amount with at most two decimals.' } } });
  return { denomination, currency_code: value?.currency_code ?? currency };
}

/** Products of the request that take its value. */
function allowedProducts(
  { campaigns, products }: State,
  { reward: { campaign_id, products: asked = [] } }: SingleRewardOrder,
  { denomination, currency_code }: Reward['value'],
): ListProductsResponseProductsInner[] {
  if (campaign_id == null && asked.length === 0)
    throw invalid({ reward: { products: 'A campaign_id, or products, are needed.' } });
  const campaign = campaigns.get(campaign_id ?? '');
  if (campaign_id != null && campaign === undefined)
    throw invalid({ reward: { campaign_id: 'There is no such campaign.' } });
  // Products override those of the campaign, but not how it looks and who pays its fees.
  const named = (asked.length > 0 ? asked : (campaign?.products ?? [])).map((id) => products.get(id));
  const known = named.filter((product) => product !== undefined);
  if (known.length < named.length) throw invalid({ reward: { products: 'There is no such product.' } });
  const allowed = known.filter((product) => takes(product, denomination, currency_code));
  if (allowed.length === 0)
    throw invalid({ reward: { value: { denomination: 'No allowed product takes this amount and currency.' } } });
  return allowed;
}

const invalid = (payload: Record<string, unknown>) => new Refusal(422, 'Order failed: validation failure', payload);
