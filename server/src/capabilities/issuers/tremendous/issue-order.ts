import type { CreateOrder200ResponseOrder, CreateOrderRequest, ListOrders200ResponseOrdersInner } from 'tremendous';
import type { IssueOutcome, IssueRequest } from '../../../core/issuer/port.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Cipher } from '../../../platform/encryption/cipher.ts';
import { NOT_CHOSEN, NOT_NOW, NOT_OFFERED } from '../refusal-reasons.ts';
import { answerOf, REFUSALS, type TremendousAccount, TremendousError } from './account.ts';
import { checkedLink } from './links.ts';
import { externalIdOf, findOrder, giftOf, listOrders, rewardOf } from './orders.ts';

type Order = ListOrders200ResponseOrdersInner | CreateOrder200ResponseOrder;

/** Earlier claims of the gift whose orders are looked for. */
const MOST_ROUNDS = 10;

/**
 * Buys a reward, or finds the gift's. The order has the claim's key as our own number, under which Tremendous makes only one
 * order; it is looked for before the purchase and after a refusal.
 *
 * @throws if the answer is not about this gift
 */
export async function issueOrder(
  account: TremendousAccount,
  cipher: Cipher,
  request: IssueRequest,
  signal: AbortSignal,
): Promise<IssueOutcome> {
  const { hasOwnChoice } = account.settings;
  if (hasOwnChoice && request.entered.offerId === undefined) return { state: 'refused', reason: NOT_CHOSEN };
  const outcomeOf = (order: Order) => outcome(account, cipher, request, order);
  const found = await findGiftsOrder(account, request, signal);
  if (found !== undefined) return outcomeOf(found);
  try {
    const { order } = await answerOf(account.orders.createOrder(orderOf(account, request), { signal }));
    if (order?.external_id !== request.idempotencyKey)
      throw new TremendousError('It answered with another order.', 200);
    return outcomeOf(order);
  } catch (error) {
    if (!(error instanceof TremendousError) || !REFUSALS.includes(error.status)) throw error;
    // It may have been placed after all.
    const placed = await findOrder(account, request.idempotencyKey, signal);
    if (placed !== undefined) return outcomeOf(placed);
    if (error.status === 409) throw error;
    const isOfProduct = hasOwnChoice && error.status === 422;
    return { state: 'refused', reason: isOfProduct ? NOT_OFFERED : NOT_NOW };
  }
}

/** Of this claim; else one of an earlier claim, or of one that a restore of the database undid, that is still worth something. */
async function findGiftsOrder(
  account: TremendousAccount,
  { giftId, idempotencyKey, restoredTo }: IssueRequest,
  signal: AbortSignal,
): Promise<Order | undefined> {
  const own = await findOrder(account, idempotencyKey, signal);
  if (own !== undefined) return own;
  const round = Number(idempotencyKey.slice(idempotencyKey.lastIndexOf('-') + 1));
  for (let earlier = round - 1; earlier >= Math.max(1, round - MOST_ROUNDS); earlier -= 1) {
    const order = await findOrder(account, externalIdOf(giftId, earlier), signal);
    if (order !== undefined && isWorthSomething(order)) return order;
  }
  if (restoredTo === undefined) return undefined;
  const gift = encodeId('gift', giftId);
  for await (const order of listOrders(account, restoredTo, signal))
    if (giftOf(order) === gift && isWorthSomething(order)) return order;
  return undefined;
}

const isWorthSomething = ({ status }: Order) => status !== 'CANCELED' && status !== 'FAILED';

/** What the recipient can exchange the reward for; an empty list: what the campaign has. */
const productsOf = ({ settings }: TremendousAccount, { entered: { offerId } }: IssueRequest): readonly string[] =>
  settings.hasOwnChoice ? [offerId ?? ''] : settings.products;

function orderOf(account: TremendousAccount, request: IssueRequest): CreateOrderRequest {
  const { settings } = account;
  const products = productsOf(account, request);
  const { valueCents, currency, idempotencyKey, giftId, language } = request;
  return {
    external_id: idempotencyKey,
    payment: { funding_source_id: settings.fundingSource },
    reward: {
      // Products go before those of the campaign, which keeps its look.
      ...(settings.campaign !== undefined && { campaign_id: settings.campaign }),
      ...(products.length > 0 && { products: [...products] }),
      value: { denomination: valueCents / 100, currency_code: currency as 'USD' },
      // Tremendous asks the recipient itself for what a product needs.
      recipient: { name: encodeId('gift', giftId) },
      ...(language !== undefined && { language: language.slice(0, 2) }),
      delivery: { method: 'LINK' },
    },
  };
}

function outcome(account: TremendousAccount, cipher: Cipher, request: IssueRequest, order: Order): IssueOutcome {
  if (!isWorthSomething(order)) return { state: 'refused', reason: NOT_NOW };
  const reward = rewardOf(order);
  requireOurs(account, request, order, reward);
  if (order.status !== 'EXECUTED') return { state: 'pending' };
  const { link } = reward.delivery as { link?: string };
  return {
    state: 'issued',
    providerId: reward.id,
    face: null,
    // Only the first answer has it; later ones are made when the recipient opens the gift.
    ...(link !== undefined && { sealed: cipher.encrypt(checkedLink(account.settings, link)) }),
  };
}

/** @throws if the amount, the currency or what can be chosen is not what was ordered */
function requireOurs(
  account: TremendousAccount,
  request: IssueRequest,
  order: Order,
  reward: ReturnType<typeof rewardOf>,
): void {
  const { valueCents, currency, giftId, idempotencyKey, restoredTo } = request;
  const { value, delivery, products } = reward;
  const campaign = reward.campaign_id ?? order.campaign_id;
  const asked = productsOf(account, request);
  // Of an earlier claim: paid for what the recipient chose then.
  const isEarlier = order.external_id !== idempotencyKey || restoredTo !== undefined;
  const isAsked =
    asked.length > 0
      ? products === undefined || isSame(products, asked) || (account.settings.hasOwnChoice && isEarlier)
      : campaign === account.settings.campaign;
  const isOurs =
    giftOf(order) === encodeId('gift', giftId) &&
    Math.round((value?.denomination ?? 0) * 100) === valueCents &&
    value?.currency_code === currency &&
    delivery?.method === 'LINK' &&
    isAsked;
  if (!isOurs) throw new TremendousError('It answered with an order that is not this gift’s.', 200);
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.toSorted().join() === others.toSorted().join();
