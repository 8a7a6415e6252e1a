import { randomBytes } from 'node:crypto';
import type { ListFraudReviews200ResponseFraudReviewsInner, ListProductsResponseProductsInner } from 'tremendous';
import { found, Refusal } from './refusal.ts';
import type { Order, Redemption, State } from './state.ts';

const methods: Record<
  ListProductsResponseProductsInner['category'],
  NonNullable<ListFraudReviews200ResponseFraudReviewsInner['redemption_method']>
> = {
  ach: 'bank transfer',
  cash_app: 'bank transfer',
  charity: 'charity',
  instant_debit_transfer: 'instant debit transfer',
  international_bank: 'international bank transfer',
  merchant_card: 'merchant card',
  paypal: 'paypal',
  venmo: 'venmo',
  visa_card: 'visa card',
};

const centsOf = (amount: number) => Math.round(amount * 100);

/** Makes a link of a reward. Its earlier link stops working. */
export function newLink(state: State, rewardId: string): string {
  const redemption = found(state.redemptions.get(rewardId));
  redemption.token = randomBytes(24).toString('base64url');
  return `${state.url}/rewards/payout/${redemption.token}`;
}

/** @throws Refusal with status 402 if the balance does not cover the order */
export function assertCovered({ availableCents }: State, { payment }: Order): void {
  if (centsOf(payment.total) > availableCents) throw new Refusal(402, 'There are not enough funds in the account.');
}

/** Pays an order and delivers its reward. @throws Refusal with status 402 */
export function execute(state: State, order: Order): void {
  assertCovered(state, order);
  const [reward] = order.rewards;
  order.status = 'EXECUTED';
  reward.delivery = { method: 'LINK', status: 'SUCCEEDED' };
  found(state.redemptions.get(reward.id)).status = 'delivered';
  state.move(-centsOf(order.payment.total), 'order', `Order ${order.id}`, order);
}

/** Cancels a reward and gives its subtotal and fees back. @throws Refusal with status 422 */
export function cancelReward(state: State, rewardId: string): void {
  const { status } = found(state.redemptions.get(rewardId));
  if (status !== 'delivered') throw new Refusal(422, `A reward that is ${status} cannot be canceled.`);
  refund(state, rewardId);
}

function refund(state: State, rewardId: string): void {
  const { order_id } = found(state.rewards.get(rewardId));
  const order = found(state.orders.get(order_id));
  const { total, currency_code } = order.payment;
  found(state.redemptions.get(rewardId)).status = 'canceled';
  order.status = 'CANCELED';
  order.payment.refund = { total, currency_code };
  state.move(centsOf(total), 'refund', `Refund of order ${order.id}`, order);
}

/** Redeems a reward for a product; without one, for the first allowed product. @throws Refusal */
export function redeem(state: State, rewardId: string, productId?: string): Redemption {
  const redemption = found(state.redemptions.get(rewardId));
  const { status, products } = redemption;
  if (status === 'redeemed' || status === 'flagged') throw new Refusal(409, 'This reward has been redeemed.');
  if (status !== 'delivered') throw new Refusal(410, `This reward is ${status}.`);
  const product = productId === undefined ? products[0] : products.find(({ id }) => id === productId);
  if (product === undefined) throw new Refusal(422, 'This reward cannot be redeemed for this product.');
  const code = randomBytes(8).toString('hex').toUpperCase();
  return Object.assign(redemption, { status: 'redeemed', product, code, redeemedAt: state.time() } as const);
}

/** Redeems a reward and holds it for review. */
export function flag(state: State, rewardId: string, productId?: string): void {
  const redemption = redeem(state, rewardId, productId);
  redemption.status = 'flagged';
  state.reviews.set(rewardId, {
    status: 'flagged',
    reasons: ['VPN detected'],
    device_id: 'device-of-the-fake',
    redemption_method: methods[redemption.product?.category ?? 'merchant_card'],
    redeemed_at: redemption.redeemedAt ?? '',
    geo: { ip: '203.0.113.7', country: 'US', city: 'New York' },
    reward: found(state.rewards.get(rewardId)),
    risk: 'medium',
    related_rewards: { ids: [], count: 0, blocked_count: 0, aggregated_value: 0, currency_code: state.currency },
  });
}

/** Ends a fraud review. A blocked reward is canceled and its amount refunded. @throws Refusal */
export function endReview(state: State, rewardId: string, status: 'released' | 'blocked'): void {
  const review = found(state.reviews.get(rewardId));
  if (review.status !== 'flagged') throw new Refusal(422, `This review has ended: ${review.status}.`);
  Object.assign(review, { status, reviewed_by: 'Reviewer of the fake', reviewed_at: state.time() });
  if (status === 'blocked') refund(state, rewardId);
  else found(state.redemptions.get(rewardId)).status = 'redeemed';
}
