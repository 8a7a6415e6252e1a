import type { FastifyReply } from 'fastify';
import { openIssuerPage } from '../../core/cards/open-issuer-page.ts';
import type { Deps } from '../../core/deps.ts';
import { lockUnheld } from '../../core/gifts/hold/lock-unheld.ts';
import type { Card, Issuer } from '../../core/issuer/port.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { browserOf } from './browser.ts';
import { issuerOf } from './claim-form.ts';
import { type Pressed, showAsItIs } from './pressed.ts';
import { recordReveal } from './record-reveal.ts';
import { senderOf, showGift } from './show-gift.ts';

/**
 * Shows the card's number to this browser, which has proved itself, unless the gift was put on hold since it was read. A gift
 * that is a link leads there. @param isNew with a new link
 */
export async function reveal(deps: Deps, pressed: Pressed, isNew = false): Promise<FastifyReply> {
  const { gift, basePath, request, reply } = pressed;
  try {
    await lockUnheld(deps.database.change, gift.scope, gift.gift_id);
  } catch (error) {
    if (!(error instanceof BestowError) || error.code !== 'gift_on_hold') throw error;
    return showAsItIs(deps, pressed, { status: 409 });
  }
  if (gift.card?.issued !== undefined) {
    const { issuer } = await issuerOf(deps, gift);
    await recordReveal(deps, gift.scope, gift.gift_id, issuer.capabilities.kind);
    if (issuer.capabilities.kind === 'link') return goToIssuer(deps, pressed, issuer, { card: gift.card, isNew });
  }
  browserOf(deps, request).remember(reply);
  return showGift(deps, reply, basePath, gift, { isRevealed: true });
}

interface Going {
  card: Card;
  isNew: boolean;
}

async function goToIssuer(deps: Deps, pressed: Pressed, issuer: Issuer, { card, isNew }: Going): Promise<FastifyReply> {
  const { gift, request, reply } = pressed;
  browserOf(deps, request).remember(reply);
  try {
    const location = await openIssuerPage(deps, issuer, card, isNew);
    if (location === undefined) {
      const notice = pageWords(reply, gift).say('link.ended', { sender: senderOf(gift) });
      return await showAsItIs(deps, pressed, { status: 410, notice });
    }
    return reply.code(303).headers({ location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }).send();
  } catch (error) {
    deps.log.warn({ err: error, request_id: request.requestId }, 'A card’s issuer did not answer.');
    return showAsItIs(deps, pressed, { status: 503, notice: pageWords(reply, gift).say('link.notNow') });
  }
}
