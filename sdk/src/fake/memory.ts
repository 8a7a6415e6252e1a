import type { FakeGift } from './gift.ts';

export interface FakeOrder {
  order_id: string;
  external_id?: string | undefined;
  metadata?: Record<string, string> | undefined;
  created_at: string;
  amount: number;
  gifts: FakeGift[];
  /** Those that are created later. */
  later: FakeGift[];
  completesAtMs: number;
}
export const statusOfOrder = ({ later }: FakeOrder) => (later.length === 0 ? 'processed' : 'processing');
export interface FakeEntry {
  entry_id: string;
  kind: 'funding' | 'order' | 'refund';
  amount: number;
  balance_after: number;
  created_at: string;
  order_id?: string;
  gift_id?: string;
}
export interface FakeEvent {
  event_id: string;
  type: string;
  created_at: string;
  sequence: number;
  data: Record<string, unknown>;
}
export interface FakeEndpoint {
  /** As answers show it. */
  shown: { endpoint_id: string; url: string; types: string[] | null; sequence: number; [member: string]: unknown };
  /** The newest first. */
  secrets: string[];
  /** The event that was pushed last. */
  lastSequence: number | null;
}
/** A push to a webhook endpoint, as the service would send it. */
export interface FakePush {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const SUFFIX_LENGTH = 26;

/** Everything that the fake keeps. */
export class Memory {
  aheadMs = 0;
  balance = 0;
  readonly entries: FakeEntry[] = [];
  readonly orders = new Map<string, FakeOrder>();
  readonly gifts = new Map<string, FakeGift>();
  readonly endpoints = new Map<string, FakeEndpoint>();
  /** What each `Idempotency-Key` was used for, and the id of what it made. */
  readonly usedKeys = new Map<string, { request: string; id: string }>();
  readonly triedKeys = new Set<string>();
  readonly pushes: FakePush[] = [];
  readonly events: FakeEvent[] = [];
  sequence = 0;
  #lastId = 0;

  nowMs = (): number => Date.now() + this.aheadMs;
  now = (): string => new Date(this.nowMs()).toISOString();

  /** Ids rise, as the service’s do. */
  nextId = (prefix: string): string => {
    this.#lastId += 1;
    return `${prefix}_${String(this.#lastId).padStart(SUFFIX_LENGTH, '0')}`;
  };

  /** Writes a change of the balance. */
  post(kind: FakeEntry['kind'], amount: number, of: Pick<FakeEntry, 'order_id' | 'gift_id'> = {}): FakeEntry {
    this.balance += amount;
    const entry_id = this.nextId('led');
    const entry = { entry_id, kind, amount, balance_after: this.balance, created_at: this.now(), ...of };
    this.entries.push(entry);
    return entry;
  }

  emit(type: string, data: Record<string, unknown>): void {
    this.sequence += 1;
    const event_id = this.nextId('evt');
    this.events.push({ event_id, type, created_at: this.now(), sequence: this.sequence, data });
  }

  /** Forgets all orders, gifts, money and events; endpoints, keys and the count of events stay. */
  clear(): void {
    this.balance = 0;
    this.entries.length = 0;
    this.events.length = 0;
    this.orders.clear();
    this.gifts.clear();
    this.usedKeys.clear();
  }
}
