import type { FastifyReply } from 'fastify';
import { maskAddress } from '../base/mask-address.ts';
import { listPurchases } from '../cards/list-purchases.ts';
import type { Deps } from '../deps.ts';
import { htmlReply } from '../pages/html-reply.ts';
import type { BasePath } from './base-path.ts';
import { cardPage, type RefusedAmount } from './card-page.ts';
import type { LinkedGift } from './find-linked-gift.ts';
import { expiredLinkPage, type NewLink, openedPage, type ShownGift, wrappedPage } from './page.ts';
import { renewability } from './renew-link.ts';

/** What an act adds to the gift's page. */
export interface Remarks {
  status?: number;
  notice?: string;
  isRevealed?: boolean;
  refusedAmount?: RefusedAmount;
}

/** Answers with the page of a wrapped, opened or claimed gift, or of an expired link. */
export async function showGift(
  deps: Deps,
  reply: FastifyReply,
  basePath: BasePath,
  gift: LinkedGift,
  remarks: Remarks = {},
): Promise<FastifyReply> {
  if (gift.isExpired) return htmlReply(reply, expiredLinkPage(basePath, await newLink(deps, gift)), 410);
  const { status = 200 } = remarks;
  const shown: ShownGift = {
    basePath,
    senderName: gift.sender_name,
    recipientName: gift.recipient_name ?? undefined,
    amountCents: gift.amount_cents,
    categoryName: gift.category_name,
    artwork: gift.artwork,
    currency: deps.config.currency,
    isSandbox: gift.scope.environment === 'sandbox',
    notice: remarks.notice,
  };
  const pictures = { imageUrls: [gift.artwork] };
  if (gift.card !== undefined) return htmlReply(reply, await claimedPage(deps, shown, gift, remarks), status, pictures);
  if (gift.opened_at !== null) return htmlReply(reply, openedPage(shown), status, pictures);
  return htmlReply(reply, wrappedPage(shown), status);
}

async function claimedPage(deps: Deps, shown: ShownGift, { card, scope }: LinkedGift, remarks: Remarks) {
  if (card === undefined) throw new Error('The gift is not claimed.');
  const issuer = deps.cards[scope.environment];
  const [face, details, purchases] = await Promise.all([
    issuer.face(card),
    remarks.isRevealed ? issuer.reveal(card) : undefined,
    listPurchases(deps, card),
  ]);
  const canBuy = shown.isSandbox && card.spentCents < card.valueCents;
  return cardPage(shown, {
    face,
    details,
    spentCents: card.spentCents,
    purchases,
    purchaseId: canBuy ? deps.ids.next() : undefined,
    refusedAmount: remarks.refusedAmount,
  });
}

async function newLink(deps: Deps, gift: LinkedGift): Promise<NewLink> {
  const state = await renewability(deps, gift);
  if (state === 'impossible' || gift.address === null) return { state: 'impossible', senderName: gift.sender_name };
  return { state, address: maskAddress(gift.address), isSandbox: gift.scope.environment === 'sandbox' };
}
