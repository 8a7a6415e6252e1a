import type { Account, Json } from './account.ts';
import { fundCash, reverseFunding } from './resources/cash-balances.ts';
import { completeSession, expireSession, settleSession } from './resources/checkout-sessions.ts';
import { addDispute, closeDispute } from './resources/disputes.ts';
import { addCard } from './resources/payment-methods.ts';
import { addRefund, failRefund } from './resources/refunds.ts';
import { addReview } from './resources/reviews.ts';

/** What payers and banks do, beyond the API. Amounts are cents, cards the last four digits of Stripe's test numbers. */
export class Acts {
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = account;
  }

  /** The latest checkout session. */
  latestSession(): Json {
    return this.#account.all('checkout.session').at(-1);
  }

  /** Pays the latest session or the named one, or saves a card with it. */
  pay(last4 = '4242', session = this.latestSession()): Json {
    completeSession(this.#account, session, last4);
    return session;
  }

  /** Pays by a method that settles later; `settle` ends it. */
  payLate(session = this.latestSession()): Json {
    completeSession(this.#account, session, '4242', true);
    return session;
  }

  settle(session: Json, succeeds: boolean): void {
    settleSession(this.#account, session, succeeds);
  }

  expire(session = this.latestSession()): void {
    expireSession(this.#account, session);
  }

  saveCard(customer: string, last4: string): Json {
    return addCard(this.#account, last4, customer);
  }

  transfer(customer: string, amount: number, currency = 'usd', reference?: string): Json {
    return fundCash(this.#account, customer, { amount, currency, reference });
  }

  returnTransfer(customer: string, amount: number, currency = 'usd'): void {
    reverseFunding(this.#account, customer, { amount, currency });
  }

  /** A rule of the account asks a person about a payment. */
  review(paymentIntent: string): Json {
    const intent = this.#account.find(paymentIntent, 'payment_intent');
    const review = addReview(this.#account, intent);
    intent.review = review.id;
    return review;
  }

  closeReview(review: Json): void {
    Object.assign(review, { open: false, closed_reason: 'approved', reason: 'approved' });
    this.#account.emit('review.closed', review);
  }

  #chargeOf(paymentIntent: string): Json {
    return this.#account.find(this.#account.find(paymentIntent, 'payment_intent').latest_charge, 'charge');
  }

  refund(paymentIntent: string, amount?: number): Json {
    const charge = this.#chargeOf(paymentIntent);
    return addRefund(this.#account, charge, amount ?? charge.amount - charge.amount_refunded);
  }

  failRefund(refund: Json): void {
    failRefund(this.#account, refund);
  }

  dispute(paymentIntent: string, amount?: number): Json {
    const charge = this.#chargeOf(paymentIntent);
    return addDispute(this.#account, charge, amount ?? charge.amount);
  }

  closeDispute(dispute: Json, status: 'won' | 'lost'): void {
    closeDispute(this.#account, dispute, status);
  }
}
