import {
  addressOf,
  cancel,
  claim,
  emitDelivery,
  type FakeGift,
  isLink,
  open,
  replaceLink,
  send,
  sendAgain,
  settle,
  spend,
  stateOf,
} from './gift.ts';
import type { Memory } from './memory.ts';
import { effectOf, readDelivery, readSendAt } from './orders.ts';
import { invalid, Refusal } from './refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: a checked body
type Body = any;

const isWaiting = (gift: FakeGift) => stateOf(gift) === 'waiting';

/** Refuses what no act of a caller can do to the gift any more, or yet. */
function requireOpen(gift: FakeGift, mayWait = false): void {
  if (gift.canceled_at !== null) throw new Refusal('gift_canceled');
  if (gift.claimed_at !== null) throw new Refusal('gift_already_redeemed');
  if (!mayWait && isWaiting(gift)) throw new Refusal('gift_scheduled');
}

/** Refuses what the recipient could not do. */
function requireUsable(gift: FakeGift, whileWaiting: string, onceCanceled = 'gift_already_redeemed'): void {
  if (gift.canceled_at !== null) throw new Refusal(onceCanceled, { reason: 'gift_canceled' });
  if (isWaiting(gift)) throw new Refusal(whileWaiting, { reason: 'gift_scheduled' });
}

/** What each operation does to a gift. They throw Refusal. */
export const GIFT_ACTS: Record<string, (memory: Memory, gift: FakeGift, body: Body) => void> = {
  cancelGift(memory, gift, { reason = null }) {
    if (gift.canceled_at !== null) return;
    requireOpen(gift, true);
    cancel(memory, gift, reason);
  },
  redirectGift(memory, gift, body) {
    const delivery = readDelivery(body, '');
    if (gift.canceled_at !== null) throw new Refusal('gift_delivery_not_updatable', { reason: 'gift_canceled' });
    if (gift.failed_at === null || gift.claimed_at !== null) throw new Refusal('gift_delivery_not_updatable');
    if (addressOf(delivery) === addressOf(gift.delivery)) throw invalid(delivery.method, 'is the address that failed');
    gift.delivery = delivery;
    sendAgain(memory, gift, 'redirected', effectOf(delivery));
  },
  replaceGiftLink(memory, gift) {
    requireOpen(gift);
    replaceLink(memory, gift);
    emitDelivery(memory, 'gift.redirected', gift, { reason: 'link_replaced' });
  },
  resendGift(memory, gift) {
    requireOpen(gift);
    if (isLink(gift)) throw new Refusal('gift_delivery_not_updatable');
    sendAgain(memory, gift, 'resent', effectOf(gift.delivery));
  },
  scheduleGift(memory, gift, { send_at }) {
    const time = readSendAt(memory, send_at, 'send_at');
    requireOpen(gift, true);
    if (!isWaiting(gift)) throw new Refusal('gift_not_scheduled');
    gift.scheduled_for = time;
    if (time <= memory.now()) send(memory, gift, effectOf(gift.delivery));
  },
  simulateDelivery(memory, gift, { outcome = 'delivered' }) {
    if (isLink(gift)) throw new Refusal('gift_delivery_not_simulatable');
    requireUsable(gift, 'gift_delivery_not_simulatable', 'gift_already_delivered');
    if (gift.delivered_at !== null) throw new Refusal('gift_already_delivered');
    gift.failed_at = null;
    settle(memory, gift, outcome);
  },
  simulateOpen(memory, gift) {
    requireUsable(gift, 'gift_delivery_not_simulatable');
    open(memory, gift);
  },
  simulateClaim(memory, gift) {
    requireUsable(gift, 'gift_already_redeemed');
    if (gift.claimed_at !== null) throw new Refusal('gift_already_redeemed');
    claim(memory, gift);
  },
  simulateSpend(memory, gift) {
    if (gift.canceled_at !== null) throw new Refusal('gift_not_claimed', { reason: 'gift_canceled' });
    if (gift.claimed_at === null) throw new Refusal('gift_not_claimed');
    spend(memory, gift);
  },
};
