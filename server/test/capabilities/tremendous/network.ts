import { createHmac, randomUUID } from 'node:crypto';
import type { ListProductsResponseProductsInner } from 'tremendous';
import { cancelReward, endReview, execute, flag, redeem } from './acts.ts';
import { found, Refusal } from './refusal.ts';
import type { Order, State } from './state.ts';

interface WebhookEvent {
  event: string;
  uuid: string;
  created_utc: string;
  payload: { resource: { id: string; type: 'rewards' | 'orders' | 'funding_sources' | 'products' }; meta: object };
}

/** Recipients, the dashboard of Tremendous, and its webhook events. */
export class TremendousNetwork {
  readonly waiting: WebhookEvent[] = [];
  readonly #state: State;
  readonly #secret: string;

  constructor(state: State, secret: string) {
    this.#state = state;
    this.#secret = secret;
  }

  /** Lets a recipient redeem. Tremendous has no event about this. */
  redeem(rewardId: string, productId?: string): void {
    redeem(this.#state, rewardId, productId);
  }

  /** Lets a recipient redeem and holds the reward for review. */
  flag(rewardId: string): void {
    flag(this.#state, rewardId);
    this.#tell('REWARDS.FLAGGED', 'rewards', rewardId);
  }

  /** Ends the review in favor of the recipient. Tremendous has no event about this. */
  release(rewardId: string): void {
    endReview(this.#state, rewardId, 'released');
  }

  /** Ends the review against the recipient: the reward is canceled and refunded. */
  block(rewardId: string): void {
    endReview(this.#state, rewardId, 'blocked');
    this.#tell('REWARDS.CANCELED', 'rewards', rewardId);
  }

  /** Cancels a reward in the dashboard. */
  cancel(rewardId: string): void {
    cancelReward(this.#state, rewardId);
    this.#tell('REWARDS.CANCELED', 'rewards', rewardId);
  }

  /** Ends the validity of a reward. Its value stays with Tremendous, which has no event about this. */
  expire(rewardId: string): void {
    const redemption = found(this.#state.redemptions.get(rewardId));
    if (redemption.status !== 'delivered')
      throw new Refusal(422, `A reward that is ${redemption.status} cannot expire.`);
    redemption.status = 'expired';
    found(this.#state.rewards.get(rewardId)).expires_at = this.#state.time();
  }

  /** Executes an order that waits. It fails if the balance does not cover it any more. */
  approve(orderId: string): void {
    const order = this.#waitingOrder(orderId);
    try {
      execute(this.#state, order);
      this.#tell('ORDERS.APPROVED', 'orders', orderId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      order.status = 'FAILED';
      this.#tell('ORDERS.FAILED', 'orders', orderId);
    }
  }

  /** Cancels an order that waits. */
  reject(orderId: string): void {
    const order = this.#waitingOrder(orderId);
    order.status = 'CANCELED';
    found(this.#state.redemptions.get(order.rewards[0].id)).status = 'canceled';
    this.#tell('ORDERS.CANCELED', 'orders', orderId);
  }

  /** Adds money to the balance. */
  fund(cents: number): void {
    this.#state.move(cents, 'deposit', 'Funds added');
    this.#tell('FUNDING_SOURCES.FUNDED', 'funding_sources', this.#state.fundingSource().id);
  }

  /** Sells a product. */
  addProduct(product: ListProductsResponseProductsInner): void {
    this.#state.products.set(product.id, product);
    for (const { products } of this.#state.campaigns.values()) products.push(product.id);
    this.#tell('PRODUCTS.ADDED', 'products', product.id);
  }

  /** Ends the sale of a product, in every campaign. */
  removeProduct(id: string): void {
    this.#state.products.delete(id);
    for (const campaign of this.#state.campaigns.values())
      campaign.products = campaign.products.filter((product) => product !== id);
    this.#tell('PRODUCTS.REMOVED', 'products', id);
  }

  #tell(event: string, type: WebhookEvent['payload']['resource']['type'], id: string): void {
    const created_utc = this.#state.time();
    this.waiting.push({ event, uuid: randomUUID(), created_utc, payload: { resource: { id, type }, meta: {} } });
  }

  /** The header's value for a body. */
  sign(body: string): string {
    return `sha256=${createHmac('sha256', this.#secret).update(body).digest('hex')}`;
  }

  /** Sends each waiting event as often as asked. @returns the statuses */
  async deliver(times: number, to: string): Promise<number[]> {
    const statuses: number[] = [];
    for (const event of this.waiting.splice(0)) {
      const body = JSON.stringify(event);
      const headers = { 'Content-Type': 'application/json', 'Tremendous-Webhook-Signature': this.sign(body) };
      for (let time = 0; time < times; time += 1)
        statuses.push((await fetch(to, { method: 'POST', headers, body })).status);
    }
    return statuses;
  }

  #waitingOrder(orderId: string): Order {
    const order = found(this.#state.orders.get(orderId));
    if (!order.status.startsWith('PENDING')) throw new Refusal(422, `The order is ${order.status}.`);
    return order;
  }
}
