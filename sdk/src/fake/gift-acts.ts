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
  statusOf,
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

const MOST_RESENDS = 5;

function requireResends({ resends }: FakeGift): void {
  if (resends >= MOST_RESENDS) throw new Refusal('gift_resend_limit_reached');
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
    const delivery = readDelivery(body);
    const isSame = addressOf(delivery) === addressOf(gift.delivery);
    if (gift.canceled_at !== null) throw new Refusal('gift_delivery_not_updatable', { reason: 'gift_canceled' });
    // It is under way.
    if (gift.resends > 0 && isSame && statusOf(gift) === 'sent' && (gift.isPending || isWaiting(gift))) return;
    if (statusOf(gift) !== 'failed' && !isWaiting(gift)) throw new Refusal('gift_delivery_not_updatable');
    requireResends(gift);
    if (isSame) throw invalid(delivery.method, 'is the address that the gift has. Send a different one');
    gift.delivery = delivery;
    if (isWaiting(gift)) {
      gift.resends += 1;
      return emitDelivery(memory, 'gift.redirected', gift, { reason: 'redirected' });
    }
    sendAgain(memory, gift, 'redirected', effectOf(delivery));
  },
  replaceGiftLink(memory, gift) {
    requireOpen(gift);
    requireResends(gift);
    if (!isLink(gift)) return sendAgain(memory, gift, 'link_replaced', effectOf(gift.delivery));
    replaceLink(memory, gift);
    gift.resends += 1;
    emitDelivery(memory, 'gift.redirected', gift, { reason: 'link_replaced' });
  },
  resendGift(memory, gift) {
    requireOpen(gift);
    if (isLink(gift)) throw new Refusal('gift_delivery_not_updatable');
    requireResends(gift);
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
    if (statusOf(gift) === 'failed' && outcome === 'failed') return;
    if (statusOf(gift) !== 'failed' && !(statusOf(gift) === 'sent' && gift.isPending))
      throw new Refusal('gift_already_delivered');
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
