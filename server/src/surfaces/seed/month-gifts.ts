import { hash } from 'node:crypto';
import { findCard } from '../../core/cards/find-card.ts';
import { spendCard } from '../../core/cards/spend-card.ts';
import { recordEvents } from '../../core/delivery/hooks/record-events.ts';
import { cancelGift } from '../../core/gifts/cancel/cancel-gift.ts';
import { claimGift } from '../../core/gifts/claim/claim-gift.ts';
import { declineGift } from '../../core/gifts/claim/decline-gift.ts';
import { openGift } from '../../core/gifts/claim/open-gift.ts';
import { thank } from '../../core/gifts/claim/thank.ts';
import { giftLink } from '../../core/gifts/gift/present-gift.ts';
import { requireGift } from '../../core/gifts/gift/retrieve-gift.ts';
import { redirectGift } from '../../core/gifts/send/redirect-gift.ts';
import { settleDelivery } from '../../core/gifts/send/settle-delivery.ts';
import { findLinkedGift } from '../../faces/redemption/find-linked-gift.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Month, OrderedGift } from './month.ts';
import { bounceReasons, cancelReasons, type Fate, merchants, pick, thanks } from './month-data.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Half a purchase, in cents, and another day the rest. */
const PARTS = 2;

/** Plans what happens to a gift that was just sent. */
export function planFate(month: Month, gift: OrderedGift, fate: Fate): void {
  const { agenda } = month;
  const isLink = gift.method === 'link';
  if (fate === 'canceled') {
    agenda.after(5 * HOUR_MS, () => cancel(month, gift));
    return;
  }
  if (!isLink && (fate === 'bounced' || fate === 'resent')) {
    agenda.after(3 * MINUTE_MS, () => bounce(month, gift));
    if (fate === 'resent')
      agenda.after(2 * HOUR_MS, async () => {
        await sendToAnother(month, gift, `new.address.${gift.number}@mill.example`);
        planOpening(month, gift, 'partly spent');
      });
    return;
  }
  if (!isLink) agenda.after(2 * MINUTE_MS, () => deliver(month, gift));
  if (fate !== 'unopened' && fate !== 'bounced') planOpening(month, gift, fate === 'resent' ? 'claimed' : fate);
}

function planOpening(month: Month, gift: OrderedGift, fate: Fate): void {
  const { agenda } = month;
  const openedMs = (1 + (gift.number % 5) * 4) * HOUR_MS;
  agenda.after(openedMs, () => open(month, gift));
  if (fate === 'opened') return;
  if (fate === 'declined') {
    agenda.after(openedMs + MINUTE_MS, () => decline(month, gift));
    return;
  }
  agenda.after(openedMs + 4 * MINUTE_MS, () => claim(month, gift));
  if (fate === 'thanked') agenda.after(openedMs + 9 * MINUTE_MS, () => thankFor(month, gift));
  if (fate === 'partly spent' || fate === 'spent')
    agenda.after(openedMs + 7 * HOUR_MS, () => spend(month, gift, 'part'));
  if (fate === 'spent') agenda.after(openedMs + 2 * DAY_MS, () => spend(month, gift, 'rest'));
}

/** A provider reports live messages. The sandbox sends none. */
async function deliver({ deps, deliveries }: Month, { scope, giftId }: OrderedGift): Promise<void> {
  if (scope.environment === 'sandbox') {
    await settleDelivery(deps, admitted(scope), giftId, 'delivered');
    return;
  }
  const deliveryId = deliveries.get(giftId) ?? '';
  await recordEvents(deps, [{ reference: { ...scope, giftId, deliveryId }, verdict: 'delivered' }]);
}

export async function bounce({ deps, deliveries }: Month, { scope, giftId, number }: OrderedGift): Promise<void> {
  if (scope.environment === 'sandbox') {
    await settleDelivery(deps, admitted(scope), giftId, 'failed');
    return;
  }
  const deliveryId = deliveries.get(giftId) ?? '';
  const verdict = { reason: pick(bounceReasons, number) };
  await recordEvents(deps, [{ reference: { ...scope, giftId, deliveryId }, verdict }]);
}

export async function sendToAnother({ deps, admin }: Month, { scope, giftId }: OrderedGift, email: string) {
  await redirectGift(deps, admitted(scope), { giftId, body: { method: 'email', email }, actor: admin });
}

export async function open({ deps }: Month, { scope, giftId }: OrderedGift): Promise<void> {
  await openGift(deps, admitted(scope), giftId);
}

/** The browser of a recipient. */
const holderOf = ({ giftId }: OrderedGift): Buffer => hash('sha256', `browser of ${giftId}`, 'buffer');

export async function claim({ deps }: Month, gift: OrderedGift): Promise<void> {
  const caller = admitted(gift.scope);
  const { link_version: linkVersion } = await requireGift(deps, caller, gift.giftId);
  await claimGift(deps, caller, gift.giftId, { linkVersion, holderHash: holderOf(gift) });
}

async function thankFor({ deps }: Month, gift: OrderedGift): Promise<void> {
  const found = await requireGift(deps, admitted(gift.scope), gift.giftId);
  const token = giftLink(deps.links, gift.scope, found).split('/').at(-1) ?? '';
  const linked = await findLinkedGift(deps, token);
  if (linked === undefined) throw new Error('A gift that was just claimed has a link.');
  await thank(deps, linked, holderOf(gift), pick(thanks, gift.number));
}

async function decline({ deps }: Month, { scope, giftId }: OrderedGift): Promise<void> {
  const { link_version } = await requireGift(deps, admitted(scope), giftId);
  await declineGift(deps, { scope, gift_id: giftId, link_version });
}

export async function spend({ deps }: Month, { scope, giftId, number }: OrderedGift, what: 'part' | 'rest') {
  const caller = admitted(scope);
  const card = await findCard(deps, caller, giftId);
  if (card === undefined) throw new Error('A gift that was claimed has a card.');
  const amountCents = what === 'rest' ? what : Math.floor(card.valueCents / PARTS) + 45;
  const merchant = pick(merchants, number + (what === 'rest' ? 1 : 0));
  await spendCard(deps, caller, card, { purchaseId: deps.ids.next(), amountCents, merchant });
}

async function cancel({ deps, admin }: Month, { scope, giftId, number }: OrderedGift): Promise<void> {
  await cancelGift(deps, admitted(scope), { giftId, reason: pick(cancelReasons, number), actor: admin });
}
