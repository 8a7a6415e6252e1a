import { createHmac, randomUUID } from 'node:crypto';
import type { Lithic } from 'lithic';
import type { LithicEvent } from '../../../src/capabilities/issuers/lithic/read-facts.ts';
import type { State } from './state.ts';

type Answer = 'approved' | 'declined';
type TransactionEvent = NonNullable<Lithic.Transaction['events']>[number];

const usd = (amount: number) => ({ amount, currency: 'USD' });
const inMoney = (amount: number) => ({
  cardholder: { ...usd(amount), conversion_rate: '1' },
  hold: usd(amount),
  merchant: usd(amount),
  settlement: { ...usd(amount), conversion_rate: '1' },
});
const merchant = {
  acceptor_id: 'A1',
  acquiring_institution_id: '1',
  city: 'NEW YORK',
  country: 'USA',
  descriptor: 'CORNER CAFE',
  mcc: '5812',
  state: 'NY',
  phone_number: null,
  postal_code: null,
  street_address: null,
};

/** Merchants, the network and Lithic's messages about cards. */
export class LithicNetwork {
  eventsUrl = '';
  asaUrl = '';
  readonly waiting: { id: string; body: string }[] = [];
  readonly #state: State;
  readonly #secrets: { events: string; asa: string };
  #asked = '';
  #ticks = 0;

  constructor(state: State, secrets: { events: string; asa: string }) {
    this.#state = state;
    this.#secrets = secrets;
  }

  /** A millisecond after the time of the last message. */
  #time(): string {
    this.#ticks += 1;
    return new Date(this.#state.clock.now() + this.#ticks).toISOString();
  }

  #send(url: string, secret: string, id: string, body: string): Promise<Response> {
    const seconds = Math.floor(this.#state.clock.now() / 1_000);
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
    return fetch(url, { method: 'POST', headers, body });
  }

  #tell(event: LithicEvent): void {
    const id = `evt_${randomUUID()}`;
    const payload = structuredClone(event);
    this.#state.events.push({
      token: id,
      created: this.#time(),
      event_type: event.event_type,
      payload: payload as never,
    });
    this.waiting.push({ id, body: JSON.stringify(payload) });
  }

  /** Sends what waits. @returns the statuses */
  async deliver(copies = 1): Promise<number[]> {
    const statuses: number[] = [];
    for (const { id, body } of this.waiting.splice(0))
      for (let copy = 0; copy < copies; copy += 1)
        statuses.push((await this.#send(this.eventsUrl, this.#secrets.events, id, body)).status);
    return statuses;
  }

  async #ask(card: Lithic.NonPCICard, token: string, amount: number): Promise<Answer> {
    const used = this.#state.usedOf(card);
    if (card.state !== 'OPEN' || used + amount > card.spend_limit) return 'declined';
    const question: Partial<Lithic.CardAuthorization> = {
      token,
      event_token: randomUUID(),
      amounts: inMoney(amount),
      card: {
        token: card.token,
        last_four: card.last_four,
        memo: card.memo ?? '',
        spend_limit: card.spend_limit,
        spend_limit_duration: 'FOREVER',
        state: card.state,
        type: 'VIRTUAL',
      },
      created: this.#time(),
      merchant,
      status: 'AUTHORIZATION',
    };
    this.#asked = JSON.stringify(question);
    return this.repeat();
  }

  /** Sends the last question, again. */
  async repeat(): Promise<Answer> {
    const answer = await this.#send(this.asaUrl, this.#secrets.asa, randomUUID(), this.#asked);
    const body = answer.status === 200 ? ((await answer.json()) as { result: string }) : undefined;
    return body?.result === 'APPROVED' ? 'approved' : 'declined';
  }

  #newTransaction(card: Lithic.NonPCICard, token = randomUUID()): Lithic.Transaction {
    const transaction: Lithic.Transaction = {
      token,
      account_token: card.account_token,
      acquirer_fee: null,
      acquirer_reference_number: null,
      amount: 0,
      amounts: inMoney(0),
      authorization_amount: null,
      authorization_code: null,
      avs: null,
      card_token: card.token,
      cardholder_authentication: null,
      created: this.#time(),
      financial_account_token: null,
      merchant,
      merchant_amount: null,
      merchant_authorization_amount: null,
      merchant_currency: 'USD',
      network: 'VISA',
      network_risk_score: null,
      pos: {} as Lithic.Transaction['pos'],
      result: 'APPROVED',
      service_location: null,
      settled_amount: 0,
      status: 'PENDING',
      tags: {},
      token_info: null,
      updated: this.#time(),
      events: [],
    };
    this.#state.transactions.set(token, transaction);
    return transaction;
  }

  #add(
    transaction: Lithic.Transaction,
    type: TransactionEvent['type'],
    amount: number,
    status = transaction.status,
  ): void {
    const event: TransactionEvent = {
      token: randomUUID(),
      amount,
      amounts: inMoney(amount),
      created: this.#time(),
      detailed_results: ['APPROVED'],
      effective_polarity: type === 'RETURN' ? 'CREDIT' : 'DEBIT',
      network_info: null,
      result: 'APPROVED',
      rule_results: [],
      type,
    };
    transaction.events?.push(event);
    Object.assign(transaction, { status, updated: this.#time() });
    this.#tell({ event_type: 'card_transaction.updated', ...transaction });
  }

  async authorize(card: Lithic.NonPCICard, amount: number) {
    const token = randomUUID();
    const answer = await this.#ask(card, token, amount);
    const transaction = this.#newTransaction(card, token);
    if (answer === 'declined') Object.assign(transaction, { status: 'DECLINED', result: 'DECLINED' });
    else this.#add(transaction, 'AUTHORIZATION', amount);
    return { answer, transaction };
  }

  async increment(card: Lithic.NonPCICard, transaction: Lithic.Transaction, amount: number): Promise<Answer> {
    const answer = await this.#ask(card, transaction.token, amount);
    if (answer === 'approved') this.#add(transaction, 'AUTHORIZATION', amount);
    return answer;
  }

  /** Gives back a part, or all without an amount. */
  reverse(transaction: Lithic.Transaction, amount?: number): void {
    this.#add(transaction, 'AUTHORIZATION_REVERSAL', amount ?? 0, amount === undefined ? 'VOIDED' : 'PENDING');
  }

  capture(transaction: Lithic.Transaction, amount: number, isLast: boolean): void {
    this.#add(transaction, 'CLEARING', amount, isLast ? 'SETTLED' : 'PENDING');
  }

  force(card: Lithic.NonPCICard, amount: number): void {
    this.#add(this.#newTransaction(card), 'CLEARING', amount, 'SETTLED');
  }

  refund(card: Lithic.NonPCICard, amount: number): void {
    this.#add(this.#newTransaction(card), 'RETURN', amount, 'SETTLED');
  }

  dispute(card: Lithic.NonPCICard, token: string, amount: number, outcome: 'open' | 'won' | 'lost'): void {
    const transaction = [...this.#state.transactions.values()].findLast(({ card_token }) => card_token === card.token);
    const status = { open: 'SUBMITTED', won: 'CASE_WON', lost: 'CASE_CLOSED' } as const;
    this.#tell({
      event_type: 'dispute.updated',
      token,
      amount,
      created: this.#time(),
      resolution_date: outcome === 'open' ? null : this.#time(),
      status: status[outcome],
      transaction_token: transaction?.token ?? '',
    } as LithicEvent);
  }

  close(card: Lithic.NonPCICard): void {
    card.state = 'CLOSED';
    this.#tell({ event_type: 'card.updated', card_token: card.token, state: 'CLOSED' });
  }
}
