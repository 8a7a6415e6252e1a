import type { Account, Json } from './account.ts';
import {
  addIssuingDispute,
  addTransaction,
  type Merchant,
  newAuthorization,
  offlineMerchant,
} from './resources/issuing-purchases.ts';
import type { Webhooks } from './webhooks.ts';

export type Answer = 'approved' | 'declined';

const SHOP: Merchant = { category: 'eating_places_restaurants', name: 'Corner Café' };

/** Merchants, their terminals and the network behind a card. */
export class IssuingNetwork {
  /** Drops answers, as Stripe does after two seconds. */
  isLate = false;
  readonly #account: Account;
  readonly #questions: Webhooks;
  #asked: Json;

  constructor(account: Account, questions: Webhooks) {
    this.#account = account;
    this.#questions = questions;
  }

  /** @returns the answer to the merchant */
  async authorize(card: Json, amount: number, merchant = SHOP): Promise<{ answer: Answer; authorization: Json }> {
    const authorization = newAuthorization(this.#account, card, merchant);
    const answer = await this.#ask(authorization, amount);
    if (answer === 'declined') authorization.status = 'closed';
    this.#account.objects.set(authorization.id, authorization);
    this.#account.emit('issuing_authorization.created', authorization);
    return { answer, authorization };
  }

  async increment(authorization: Json, amount: number): Promise<Answer> {
    const answer = await this.#ask(authorization, amount);
    this.#account.emit('issuing_authorization.updated', authorization);
    return answer;
  }

  /** Sends the last question again. */
  async repeat(): Promise<Answer> {
    return (await this.#send(this.#asked)) === 'webhook_approved' ? 'approved' : 'declined';
  }

  /** Stripe's own checks come first, and decline without asking. */
  async #ask(authorization: Json, amount: number): Promise<Answer> {
    const reason = this.#checkControls(authorization, amount) ?? (await this.#question(authorization, amount));
    const approved = reason === 'webhook_approved';
    authorization.pending_request = null;
    authorization.request_history.push({
      amount,
      amount_details: null,
      approved,
      authorization_code: null,
      created: this.#account.now(),
      currency: authorization.currency,
      merchant_amount: amount,
      merchant_currency: authorization.currency,
      network_risk_score: null,
      reason,
      reason_message: null,
      requested_at: this.#account.now(),
    });
    if (approved) this.#raise(authorization, authorization.amount + amount);
    else if (!authorization.approved) this.#raise(authorization, amount);
    authorization.approved ||= approved;
    return approved ? 'approved' : 'declined';
  }

  #raise(authorization: Json, amount: number): void {
    authorization.amount = amount;
    authorization.merchant_amount = amount;
  }

  #checkControls({ card, merchant_data }: Json, amount: number): string | undefined {
    if (card.status !== 'active') return card.status === 'canceled' ? 'card_canceled' : 'card_inactive';
    const { allowed_categories, spending_limits } = card.spending_controls;
    if (allowed_categories !== null && !allowed_categories.includes(merchant_data.category)) return 'spending_controls';
    const [limit] = spending_limits;
    if (limit !== undefined && this.#usedOf(card) + amount > limit.amount) return 'spending_controls';
    return amount > this.#account.issuingBalance ? 'insufficient_funds' : undefined;
  }

  /** Refunds give nothing back, as one platform reports of `all_time`. */
  #usedOf({ id }: Json): number {
    const isOf = (one: Json) => one.card.id === id && one.status === 'pending' && one.approved;
    const held = this.#account.all('issuing.authorization', isOf).reduce((sum, one) => sum + remainderOf(one), 0);
    const isCapture = (one: Json) => one.card === id && one.type === 'capture';
    return this.#account.all('issuing.transaction', isCapture).reduce((sum, { amount }) => sum - amount, held);
  }

  async #question(authorization: Json, amount: number): Promise<string> {
    const { currency } = authorization;
    authorization.pending_request = {
      amount,
      amount_details: null,
      currency,
      is_amount_controllable: false,
      merchant_amount: amount,
      merchant_currency: currency,
      network_risk_score: null,
    };
    this.#asked = this.#account.newEvent('issuing_authorization.request', authorization);
    return this.#send(this.#asked);
  }

  async #send(event: Json): Promise<string> {
    const { status, body, version } = await this.#questions.send(event);
    if (this.isLate) return 'webhook_timeout';
    if (status !== 200 || version === null) return 'webhook_error';
    return JSON.parse(body).approved === true ? 'webhook_approved' : 'webhook_declined';
  }

  /** Gives back a part, or all without an amount. */
  reverse(authorization: Json, amount?: number): void {
    if (amount === undefined) authorization.status = 'reversed';
    this.#raise(authorization, authorization.amount - (amount ?? authorization.amount));
    this.#account.emit('issuing_authorization.updated', authorization);
  }

  expire(authorization: Json): void {
    authorization.status = 'expired';
    this.#account.emit('issuing_authorization.updated', authorization);
  }

  capture(authorization: Json, amount: number, isLast = true): Json {
    const { card, merchant_data: merchant } = authorization;
    const transaction = addTransaction(this.#account, card, { type: 'capture', amount, merchant, authorization });
    if (isLast) authorization.status = 'closed';
    this.#account.emit('issuing_authorization.updated', authorization);
    return transaction;
  }

  /** Captures without asking, such as an offline terminal. */
  force(card: Json, amount: number): Json {
    return addTransaction(this.#account, card, { type: 'capture', amount, merchant: offlineMerchant });
  }

  refund(card: Json, amount: number): Json {
    return addTransaction(this.#account, card, { type: 'refund', amount, merchant: offlineMerchant });
  }

  dispute(transaction: Json, amount: number): Json {
    return addIssuingDispute(this.#account, transaction, amount);
  }

  endDispute(dispute: Json, status: 'won' | 'lost'): void {
    dispute.status = status;
    this.#account.emit('issuing_dispute.closed', dispute);
  }

  cancel(card: Json): void {
    card.status = 'canceled';
    this.#account.emit('issuing_card.updated', card);
  }
}

const remainderOf = ({ amount, transactions }: Json): number =>
  Math.max(
    0,
    transactions.reduce((sum: number, one: Json) => sum + one.amount, amount),
  );
