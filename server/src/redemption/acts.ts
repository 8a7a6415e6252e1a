import type { FastifyReply, FastifyRequest } from 'fastify';
import { spendCard } from '../cards/spend-card.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { claimGift } from '../gifts/claim-gift.ts';
import { openGift } from '../gifts/open-gift.ts';
import { htmlReply } from '../pages/html-reply.ts';
import type { AmountError } from './card-page.ts';
import { findLinkedGift, type LinkedGift } from './find-linked-gift.ts';
import { unknownLinkPage } from './page.ts';
import { type Act, giftPath, type Place } from './place.ts';
import { readPurchaseForm } from './purchase-form.ts';
import { renewLink } from './renew-link.ts';
import { type Remarks, showGift } from './show-gift.ts';

/** A button that was pressed, on a link that is good or, for `renew`, was good once. */
interface Pressed {
  gift: LinkedGift;
  place: Place;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What the recipient's buttons do. Each answers with the way back to the gift's page, or with the page itself. */
export const acts: Record<Act, (deps: Deps, pressed: Pressed) => Promise<FastifyReply>> = {
  async open(deps, pressed) {
    const { scope, gift_id, link_version } = pressed.gift;
    try {
      await openGift(deps, scope, gift_id, link_version);
    } catch (error) {
      // Sent to another address meanwhile: the page that follows says that its link is over.
      if (!(error instanceof BestowError) || error.code !== 'resource_missing') throw error;
    }
    return goBack(pressed, '#unwrapped');
  },

  async claim(deps, pressed) {
    const { gift, request } = pressed;
    try {
      await claimGift(deps, gift.scope, gift.gift_id, gift.link_version);
    } catch (error) {
      // Pressed twice, or claimed by its sender's program: either way there is a card to show, or the link is over.
      if (error instanceof BestowError && error.code !== 'resource_locked') return goBack(pressed, '#card');
      deps.log.error({ err: error, request_id: request.requestId }, 'A claim did not succeed.');
      // It did all the same where its connection was lost at the commit, or where another press came first.
      if ((await findLinkedGift(deps, pressed.place.token))?.card !== undefined) return goBack(pressed, '#card');
      return showAsItIs(deps, pressed, {
        status: 503,
        notice: 'Your card could not be made just now. Nothing is lost: please try again in a moment.',
      });
    }
    return goBack(pressed, '#card');
  },

  async reveal(deps, pressed) {
    const { gift, place, reply } = pressed;
    return gift.card === undefined ? goBack(pressed) : showGift(deps, reply, place, gift, { isRevealed: true });
  },

  async purchase(deps, pressed) {
    const { gift, request, reply } = pressed;
    if (gift.scope.environment !== 'sandbox') return htmlReply(reply, unknownLinkPage(), 404);
    if (gift.card === undefined) return goBack(pressed);
    const { typed, purchase } = readPurchaseForm(typeof request.body === 'string' ? request.body : '');
    const refuse = (error: AmountError) => showAsItIs(deps, pressed, { status: 422, refusedAmount: { typed, error } });
    if (purchase === undefined) return refuse('unreadable');
    const outcome = await spendCard(deps, gift.card, purchase);
    return outcome === 'too_much' ? refuse('too_much') : goBack(pressed, '#purchases');
  },

  async renew(deps, pressed) {
    if (pressed.gift.isExpired) await renewLink(deps, pressed.gift);
    return goBack(pressed);
  },
};

/** To the gift's page, which shows its state; a part of it moves where it has just come about. */
export function goBack({ place, reply }: Pick<Pressed, 'place' | 'reply'>, part = ''): FastifyReply {
  return reply
    .code(303)
    .header('location', giftPath(place) + part)
    .send();
}

/** The gift may have changed since it was read. */
async function showAsItIs(deps: Deps, { place, reply }: Pressed, remarks: Remarks): Promise<FastifyReply> {
  const gift = await findLinkedGift(deps, place.token);
  return gift === undefined ? htmlReply(reply, unknownLinkPage(), 404) : showGift(deps, reply, place, gift, remarks);
}
