import { dateOf } from 'bestow-readers/time.ts';
import type { ListFraudReviews200ResponseFraudReviewsInner, ListOrders200ResponseOrdersInner } from 'tremendous';
import type { Fact } from '../../../core/issuer/port.ts';
import { answerOf, type TremendousAccount } from './account.ts';
import { giftOf, rewardOf } from './orders.ts';

/** What purchases are called: the recipient's choice is not for others. */
const MERCHANT = 'Tremendous';

/** A webhook's body. It names what changed, and the rest is asked for. */
interface Event {
  event?: string;
  payload?: { resource?: { id?: string; type?: string } };
}

/** Reads the facts of a verified event. Others, and those about rewards that are no gifts, have none. */
export async function factsOfEvent(account: TremendousAccount, body: string, signal: AbortSignal): Promise<Fact[]> {
  const { event, payload } = JSON.parse(body) as Event;
  const { id, type } = payload?.resource ?? {};
  if (id === undefined) return [];
  const order = await orderOf(account, id, type, signal);
  if (order === undefined || giftOf(order) === undefined) return [];
  if (event === 'REWARDS.CANCELED') return [closed(rewardOf(order).id)];
  if (event !== 'REWARDS.FLAGGED') return factsOfOrder(order);
  const { fraud_review } = await answerOf(account.fraudReviews.getFraudReview(id, { signal }));
  return factsOfReview({ ...fraud_review, reward: { ...fraud_review.reward, id } });
}

async function orderOf(account: TremendousAccount, id: string, type: string | undefined, signal: AbortSignal) {
  if (type !== 'rewards' && type !== 'orders') return undefined;
  const { reward } = type === 'rewards' ? await answerOf(account.rewards.getReward(id, { signal })) : {};
  const { order } = await answerOf(account.orders.getOrder(reward?.order_id ?? id, { signal }));
  return order;
}

/**
 * What an order cost beyond its reward, perhaps nothing, and whether it was canceled, which gives all of it back. Fees and
 * discounts are in the currency of the account, which is that of the reward. So each order is known, or counts as unknown.
 */
export function factsOfOrder(order: ListOrders200ResponseOrdersInner): Fact[] {
  const { id, status, created_at, payment } = order;
  const isPaid = status === 'EXECUTED' || payment?.refund !== undefined;
  const facts: Fact[] = [];
  if (payment !== undefined && isPaid) {
    const { id: providerId, value } = rewardOf(order);
    const costCents = Math.round((payment.total - (value?.denomination ?? 0)) * 100);
    const cost = { providerId, at: dateOf(created_at), amountCents: Math.abs(costCents) };
    const [kind, back] = costCents >= 0 ? (['cost', 'cost_returned'] as const) : (['cost_returned', 'cost'] as const);
    facts.push({ ...cost, kind, factId: `${id}:cost` });
    if (costCents !== 0 && status === 'CANCELED') facts.push({ ...cost, kind: back, factId: `${id}:cost:returned` });
  }
  return status === 'CANCELED' && isPaid ? [...facts, closed(rewardOf(order).id)] : facts;
}

/** A reward that Tremendous reviews was redeemed, and paid once it is released. */
export function factsOfReview({
  status,
  reward,
  redeemed_at,
  reviewed_at,
}: ListFraudReviews200ResponseFraudReviewsInner): Fact[] {
  const providerId = reward?.id;
  if (providerId === undefined || redeemed_at === undefined) return [];
  const at = dateOf(redeemed_at);
  const amountCents = Math.round((reward?.value?.denomination ?? 0) * 100);
  const holdId = holdOf(providerId);
  const held: Fact = {
    kind: 'hold',
    factId: `${holdId}:flagged`,
    providerId,
    at,
    holdId,
    amountCents,
    merchant: MERCHANT,
  };
  switch (status) {
    case 'flagged':
      return [held];
    case 'released':
      return [redeemed(providerId, amountCents, at)];
    case 'blocked':
      return [
        { kind: 'released', factId: `${holdId}:blocked`, providerId, at: dateOf(reviewed_at ?? redeemed_at), holdId },
      ];
    default:
      return [];
  }
}

const holdOf = (providerId: string) => `${providerId}:redeemed`;

/** The reward's whole value is gone. */
export const redeemed = (providerId: string, amountCents: number, at: Date): Fact => ({
  kind: 'captured',
  factId: holdOf(providerId),
  providerId,
  at,
  holdId: holdOf(providerId),
  amountCents,
  merchant: MERCHANT,
  isFinal: true,
});

/** Tremendous does not say when; a canceled reward stays so. */
export const closed = (providerId: string): Fact => ({
  kind: 'closed',
  factId: `${providerId}:canceled`,
  providerId,
  at: new Date(0),
});
