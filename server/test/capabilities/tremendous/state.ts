import { randomInt } from 'node:crypto';
import type {
  GetFraudReview200ResponseFraudReview,
  ListBalanceTransactions200ResponseTransactionsInner,
  ListCampaigns200ResponseCampaignsInner,
  ListFundingSources200ResponseFundingSourcesInner,
  ListOrders200ResponseOrdersInner,
  ListOrders200ResponseOrdersInnerPayment,
  ListProductsResponseProductsInner,
  ListRewards200ResponseRewardsInner,
  ListRewards200ResponseRewardsInnerDelivery,
  ListRewards200ResponseRewardsInnerValue,
  SingleRewardOrder,
} from 'tremendous';
import { campaignsOf, productsAt } from './catalog.ts';
import type { Report } from './reports.ts';

/** A reward as the API shows it, always without its link. */
export type Reward = Omit<ListRewards200ResponseRewardsInner, 'delivery' | 'value'> & {
  id: string;
  order_id: string;
  created_at: string;
  value: Required<ListRewards200ResponseRewardsInnerValue>;
  delivery: Required<ListRewards200ResponseRewardsInnerDelivery>;
};
/** An order as the API shows it. Its reward is the same object as in `rewards`. */
export type Order = Omit<ListOrders200ResponseOrdersInner, 'payment' | 'rewards'> & {
  payment: ListOrders200ResponseOrdersInnerPayment;
  rewards: [Reward];
};

/** What the API does not show of a reward. */
export interface Redemption {
  status: 'pending' | 'delivered' | 'redeemed' | 'flagged' | 'canceled' | 'expired';
  /** Products that the recipient can choose. */
  products: readonly ListProductsResponseProductsInner[];
  /** Of the link that works; undefined before the first one. */
  token: string | undefined;
  redeemedAt?: string;
  product?: ListProductsResponseProductsInner;
  code?: string;
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const FUNDING_SOURCE = 'FUND1';

/** An id such as Tremendous's: twelve upper-case letters and digits. */
export const newId = () => Array.from({ length: 12 }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');

/** An organization's account at Tremendous. */
export class State {
  /** What the balance can pay. */
  availableCents = 5_000_000;
  /** Of the account. */
  currency: Reward['value']['currency_code'] = 'USD';
  /** Added to each order. */
  feeCents = 0;
  /** The price of one unit of any other currency in the account's currency. */
  rate = 1;
  /** The status in which new orders wait. */
  pending: 'PENDING APPROVAL' | 'PENDING SETTLEMENT' | undefined;
  /** Whether reports stay unfinished. */
  isSlow = false;
  /** How reports write times of redemptions and amounts. */
  writes = { time: (time: string) => time, amount: (amount: string) => amount };
  /** Where its links lead. */
  url: string;
  readonly clock: { now(): number };
  readonly products: Map<string, ListProductsResponseProductsInner>;
  readonly campaigns: Map<string, ListCampaigns200ResponseCampaignsInner>;
  readonly orders = new Map<string, Order>();
  /** Bodies of the requests, by order. */
  readonly requests = new Map<string, SingleRewardOrder>();
  readonly rewards = new Map<string, Reward>();
  /** By reward. */
  readonly redemptions = new Map<string, Redemption>();
  /** The oldest first. */
  readonly transactions: ListBalanceTransactions200ResponseTransactionsInner[] = [];
  /** By reward. */
  readonly reviews = new Map<string, GetFraudReview200ResponseFraudReview>();
  readonly reports = new Map<string, Report>();

  constructor(clock: { now(): number }, url: string) {
    this.clock = clock;
    this.url = url;
    this.products = productsAt(url);
    this.campaigns = campaignsOf(this.products);
  }

  /** In milliseconds. */
  get now(): number {
    return this.clock.now();
  }

  time(): string {
    return new Date(this.now).toISOString();
  }

  fundingSource(): ListFundingSources200ResponseFundingSourcesInner {
    return {
      id: FUNDING_SOURCE,
      method: 'balance',
      usage_permissions: ['api_orders', 'dashboard_orders'],
      status: 'active',
      meta: {
        available_amount: this.availableCents / 100,
        available_cents: this.availableCents,
        currency_code: this.currency,
        pending_amount: 0,
        pending_cents: 0,
      },
    };
  }

  hasFundingSource(id: string): boolean {
    return id === FUNDING_SOURCE || id.toUpperCase() === 'BALANCE';
  }

  /** Moves money into or out of the balance. */
  move(cents: number, action: string, description: string, order?: Order): void {
    this.availableCents += cents;
    const transaction: ListBalanceTransactions200ResponseTransactionsInner = {
      created_at: this.time(),
      amount: cents / 100,
      currency_code: this.currency,
      balance: this.availableCents / 100,
      action,
      description,
    };
    if (order !== undefined)
      transaction.order = {
        id: order.id,
        external_id: order.external_id ?? null,
        payment: structuredClone(order.payment),
      };
    this.transactions.push(transaction);
  }
}
