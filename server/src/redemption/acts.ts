import type { FastifyReply, FastifyRequest } from 'fastify';
import { spendCard } from '../cards/spend-card.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { claimGift } from '../gifts/claim-gift.ts';
import { openGift } from '../gifts/open-gift.ts';
import { htmlReply } from '../pages/html-reply.ts';
import { type Act, type BasePath, giftPath } from './base-path.ts';
import type { AmountError } from './card-page.ts';
import { findLinkedGift, type LinkedGift } from './find-linked-gift.ts';
import { unknownLinkPage } from './page.ts';
import { readPurchaseForm } from './purchase-form.ts';
import { renewLink } from './renew-link.ts';
import { type Remarks, showGift } from './show-gift.ts';

/** A pressed button. The link is valid; for `renew` it may have expired. */
interface Pressed {
  gift: LinkedGift;
  basePath: BasePath;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What the recipient's buttons do. Each redirects to the gift's page or answers with a page. */
export const acts: Record<Act, (deps: Deps, pressed: Pressed) => Promise<FastifyReply>> = {
  async open(deps, pressed) {
    const { scope, gift_id, link_version } = pressed.gift;
    try {
      await openGift(deps, scope, gift_id, link_version);
    } catch (error) {
      // The gift was just sent to another address. The next page says that the link no longer works.
      if (!(error instanceof BestowError) || error.code !== 'resource_missing') throw error;
    }
    return goBack(pressed, '#unwrapped');
  },

  async claim(deps, pressed) {
    const { gift, request } = pressed;
    try {
      await claimGift(deps, gift.scope, gift.gift_id, gift.link_version);
    } catch (error) {
      // A second press, or a claim by the sender's program: there is a card to show, or the link no longer works.
      if (error instanceof BestowError && error.code !== 'resource_locked') return goBack(pressed, '#card');
      deps.log.error({ err: error, request_id: request.requestId }, 'A claim failed.');
      // The claim may still have been committed, by this request or by another press.
      if ((await findLinkedGift(deps, pressed.basePath.token))?.card !== undefined) return goBack(pressed, '#card');
      return showAsItIs(deps, pressed, {
        status: 503,
        notice: 'We could not create your card. Your gift is safe: please try again in a moment.',
      });
    }
    return goBack(pressed, '#card');
  },

  async reveal(deps, pressed) {
    const { gift, basePath, reply } = pressed;
    return gift.card === undefined ? goBack(pressed) : showGift(deps, reply, basePath, gift, { isRevealed: true });
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

/** Redirects to the gift's page. @param part a fragment such as `#card`, which starts an animation */
export function goBack({ basePath, reply }: Pick<Pressed, 'basePath' | 'reply'>, part = ''): FastifyReply {
  return reply
    .code(303)
    .header('location', giftPath(basePath) + part)
    .send();
}

/** Reads the gift again, because it may have changed, and shows it. */
async function showAsItIs(deps: Deps, { basePath, reply }: Pressed, remarks: Remarks): Promise<FastifyReply> {
  const gift = await findLinkedGift(deps, basePath.token);
  return gift === undefined ? htmlReply(reply, unknownLinkPage(), 404) : showGift(deps, reply, basePath, gift, remarks);
}
