import type { Memory } from './memory.ts';

export interface FakeGift {
  gift_id: string;
  order_id: string;
  amount: number;
  category: string;
  delivery: { method: string; email?: string; phone?: string; link?: string };
  personalization: { sender_name: string; recipient_name?: string };
  language?: string | undefined;
  external_id?: string | undefined;
  metadata?: Record<string, string> | undefined;
  scheduled_for: string | null;
  ordered_at: string;
  sent_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
  opened_at: string | null;
  claimed_at: string | null;
  spent_at: string | null;
  canceled_at: string | null;
  cancel_reason: string | null;
  /** How often it was sent again. */
  resends: number;
  /** Whether a message is under way that has no outcome yet. */
  isPending: boolean;
  linkEndsMs: number;
}

const LINK_MS = 30 * 86_400_000;

/** How far an address takes its gift. */
const STEPS: Record<string, number> = { delivered: 1, opened: 2, claimed: 3, spent: 4 };

export const isLink = ({ delivery }: FakeGift) => delivery.method === 'link';
export const addressOf = ({ email, phone }: FakeGift['delivery']) => email ?? phone;

export function statusOf({ claimed_at, opened_at, failed_at }: FakeGift): string {
  if (claimed_at !== null) return 'claimed';
  if (opened_at !== null) return 'opened';
  return failed_at === null ? 'sent' : 'failed';
}

export function stateOf(gift: FakeGift): string {
  if (gift.canceled_at !== null) return 'canceled';
  if (gift.spent_at !== null) return 'spent';
  if (gift.sent_at === null) return 'waiting';
  const status = statusOf(gift);
  return status === 'sent' && gift.delivered_at !== null ? 'delivered' : status;
}

function historyOf(gift: FakeGift): object {
  const { ordered_at, scheduled_for, sent_at, delivered_at, failed_at, opened_at, claimed_at, spent_at } = gift;
  const { canceled_at, cancel_reason, amount } = gift;
  return {
    state: stateOf(gift),
    ordered_at,
    scheduled_for,
    sent_at,
    delivered_at,
    failed_at,
    failure: failed_at === null ? null : { reason: 'unknown', retryable: false, provider_message: null },
    opened_at,
    claimed_at,
    spent: { amount: spent_at === null ? 0 : amount, last_at: spent_at },
    declined_at: null,
    canceled_at,
    cancel_reason,
    refunded: canceled_at === null ? 0 : amount,
    expires_at: null,
    held_since: null,
    erased_at: null,
  };
}

const cancellationOf = ({ canceled_at, cancel_reason, amount }: FakeGift) => ({
  canceled_at,
  reason: cancel_reason,
  refunded: amount,
});

/** The gift as answers show it. */
export function presentGift(gift: FakeGift, hasHistory: boolean): Record<string, unknown> {
  const { gift_id, amount, category, delivery, personalization, language, external_id, metadata } = gift;
  const { method, ...address } = delivery;
  return {
    gift_id,
    amount,
    category,
    delivery: { method, status: statusOf(gift), ...address },
    personalization,
    ...(language !== undefined && { language }),
    ...(external_id !== undefined && { external_id }),
    ...(metadata !== undefined && { metadata }),
    ...(gift.scheduled_for !== null && { scheduled_for: gift.scheduled_for }),
    ...(gift.canceled_at !== null && { cancellation: cancellationOf(gift) }),
    ...(hasHistory && { history: historyOf(gift) }),
  };
}

const emitOf = (memory: Memory, type: string, { order_id, gift_id }: FakeGift, part: object) =>
  memory.emit(type, { order_id, gift_id, ...part });
export const emitDelivery = (memory: Memory, type: string, gift: FakeGift, more: object = {}) =>
  emitOf(memory, type, gift, { ...more, delivery: { status: statusOf(gift) } });

/** Settles the delivery. */
export function settle(memory: Memory, gift: FakeGift, outcome: 'delivered' | 'failed'): void {
  gift[`${outcome}_at`] = memory.now();
  gift.isPending = false;
  emitDelivery(memory, outcome === 'failed' ? 'gift.delivery_failed' : 'gift.delivered', gift);
}
export function open(memory: Memory, gift: FakeGift): void {
  if (gift.opened_at !== null) return;
  if (gift.isPending) settle(memory, gift, 'delivered');
  gift.opened_at = memory.now();
  emitDelivery(memory, 'gift.opened', gift);
}
export function claim(memory: Memory, gift: FakeGift): void {
  open(memory, gift);
  gift.claimed_at = memory.now();
  emitDelivery(memory, 'gift.claimed', gift);
}
export function spend(memory: Memory, gift: FakeGift): void {
  if (gift.spent_at !== null) return;
  gift.spent_at = memory.now();
  emitOf(memory, 'gift.spent', gift, { purchase: { amount: gift.amount, amount_left: 0 } });
}
export function cancel(memory: Memory, gift: FakeGift, reason: string | null): void {
  gift.canceled_at = memory.now();
  gift.cancel_reason = reason;
  memory.post('refund', gift.amount, { gift_id: gift.gift_id });
  emitOf(memory, 'gift.canceled', gift, { cancellation: cancellationOf(gift) });
}

/** Sends the gift once more, perhaps to another address. */
export function sendAgain(memory: Memory, gift: FakeGift, reason: string, effect: string | undefined): void {
  gift.failed_at = null;
  gift.resends += 1;
  const status = (STEPS[effect ?? ''] ?? 0) >= 2 ? 'opened' : 'sent';
  emitOf(memory, 'gift.redirected', gift, { reason, delivery: { status } });
  send(memory, gift, effect);
}

/** Gives a link gift another link. */
export function replaceLink(memory: Memory, gift: FakeGift): void {
  if (!isLink(gift)) return;
  gift.delivery.link = `https://bestow.test/g/${memory.nextId('fake')}`;
  gift.linkEndsMs = memory.nowMs() + LINK_MS;
}
/** Gives a link gift another link if that has expired. */
export function renewLink(memory: Memory, gift: FakeGift): void {
  if (gift.canceled_at === null && gift.linkEndsMs <= memory.nowMs()) replaceLink(memory, gift);
}

/** Sends the gift; its address decides how far it gets. */
export function send(memory: Memory, gift: FakeGift, effect: string | undefined): void {
  gift.sent_at = memory.now();
  gift.isPending = !isLink(gift);
  const steps = STEPS[effect ?? ''] ?? 0;
  if (effect === 'failed') settle(memory, gift, 'failed');
  if (steps >= 1) settle(memory, gift, 'delivered');
  if (steps >= 2) open(memory, gift);
  if (steps >= 3) claim(memory, gift);
  if (steps >= 4) spend(memory, gift);
}
