import type { FastifyReply } from 'fastify';
import {
  keepWayBack,
  proofOf,
  proveByCode,
  proveByPin,
  sendCode,
  takeCard,
  takeReopened,
} from '../../core/card-proofs/prove.ts';
import { spendCard } from '../../core/cards/spend-card.ts';
import { ANY_CATEGORY } from '../../core/catalog/any-category.ts';
import type { Deps } from '../../core/deps.ts';
import { chooseCategory } from '../../core/gifts/claim/choose-category.ts';
import { declineGift } from '../../core/gifts/claim/decline-gift.ts';
import { openGift } from '../../core/gifts/claim/open-gift.ts';
import { readNote, refuseNote, thank } from '../../core/gifts/claim/thank.ts';
import { renewLink } from '../../core/gifts/send/renew-link.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import type { Act } from './base-path.ts';
import { browserOf } from './browser.ts';
import { claim } from './claim.ts';
import { issuerOf } from './claim-form.ts';
import { findLinkedGift } from './find-linked-gift.ts';
import { unknownLinkPage } from './page.ts';
import { askForProof, formOf, goBack, type Pressed, showAsItIs } from './pressed.ts';
import { readPurchaseForm } from './purchase-form.ts';
import { reveal } from './reveal.ts';
import { senderOf } from './show-gift.ts';
import type { AmountError } from './shown-card.ts';
import { datesOf, readWayBack } from './way-back-form.ts';

/** What the recipient's buttons do. Each redirects to the gift's page or answers with a page. */
export const acts: Record<Act, (deps: Deps, pressed: Pressed) => Promise<FastifyReply>> = {
  async open(deps, pressed) {
    const { scope, gift_id, link_version } = pressed.gift;
    try {
      await openGift(deps, admitted(scope), gift_id, link_version);
    } catch (error) {
      // The gift was just sent to another address. The next page says that the link no longer works.
      if (!(error instanceof BestowError) || error.code !== 'resource_missing') throw error;
    }
    // Before the claim, so that a lost answer to the claim does not lose who claimed.
    browserOf(deps, pressed.request).remember(pressed.reply);
    return goBack(pressed, '#unwrapped');
  },

  async choose(deps, pressed) {
    const { scope, gift_id, link_version } = pressed.gift;
    const choice = { linkVersion: link_version, categoryId: formOf(pressed).get('category') ?? '' };
    if (await chooseCategory(deps, scope, gift_id, choice)) return goBack(pressed);
    const now = await findLinkedGift(deps, pressed.basePath.token);
    if (now?.category_id !== ANY_CATEGORY || now.claimed_at !== null || now.claiming_at !== null)
      return goBack(pressed, '#card');
    return showAsItIs(deps, pressed, { status: 422, notice: pageWords(pressed.reply, now).say('choose.gone') });
  },

  claim,

  async reveal(deps, pressed) {
    const { gift, request } = pressed;
    if (gift.card === undefined) return goBack(pressed);
    const browser = browserOf(deps, request);
    if (browser.holds(gift.gift_id, gift.holder_hash)) return reveal(deps, pressed);
    const proof = await proofOf(deps, gift);
    if (proof.by === 'first' && (await takeCard(deps, gift, browser.hashFor(gift.gift_id))))
      return reveal(deps, pressed);
    return askForProof(deps, pressed, proof);
  },

  async code(deps, pressed) {
    const { gift, reply } = pressed;
    if (gift.card === undefined) return goBack(pressed);
    const words = pageWords(reply, gift);
    const isSent = await sendCode(deps, gift, words.language);
    const notice = words.say('notice.waitForCode');
    return askForProof(deps, pressed, await proofOf(deps, gift), isSent ? {} : { status: 429, notice });
  },

  async prove(deps, pressed) {
    const { gift, request, reply } = pressed;
    if (gift.card === undefined) return goBack(pressed);
    const { say } = pageWords(reply, gift);
    const holderHash = browserOf(deps, request).hashFor(gift.gift_id);
    const { address } = await proofOf(deps, gift);
    const isPin = address === null || formOf(pressed).get('by') === 'pin';
    const prove = isPin ? proveByPin : proveByCode;
    if (await prove(deps, gift, readDigits(pressed), holderHash)) return reveal(deps, pressed);
    const notice = say(isPin ? 'notice.wrongPin' : 'notice.wrongCode');
    return askForProof(deps, pressed, await proofOf(deps, gift), { status: 422, notice });
  },

  async take(deps, pressed) {
    const { gift, request, reply } = pressed;
    if (gift.card === undefined) return goBack(pressed);
    const browser = browserOf(deps, request);
    // Also after a second press of the same button.
    if (
      browser.holds(gift.gift_id, gift.holder_hash) ||
      (await takeReopened(deps, gift, browser.hashFor(gift.gift_id)))
    )
      return reveal(deps, pressed);
    const notice = pageWords(reply, gift).say('notice.taken', { sender: senderOf(gift) });
    return askForProof(deps, pressed, await proofOf(deps, gift), { status: 409, notice });
  },

  async pin(deps, pressed) {
    const { gift, request } = pressed;
    const browser = browserOf(deps, request);
    const isHolder = browser.holds(gift.gift_id, gift.holder_hash);
    if (gift.card === undefined || gift.method !== 'link' || !isHolder) return goBack(pressed);
    const { typed, wayBack } = await readWayBack(formOf(pressed), { dates: datesOf(deps, gift) });
    if (wayBack === undefined && typed.error !== 'nothing')
      return showAsItIs(deps, pressed, { status: 422, typedWayBack: typed });
    if (wayBack !== undefined) await keepWayBack(deps, gift, browser.hashFor(gift.gift_id), wayBack);
    return goBack(pressed, '#devices');
  },

  async purchase(deps, pressed) {
    const { gift, request, reply } = pressed;
    if (gift.scope.environment !== 'sandbox') return htmlReply(reply, unknownLinkPage(pageWords(reply)), 404);
    if (gift.card === undefined) return goBack(pressed);
    const { typed, purchase } = readPurchaseForm(typeof request.body === 'string' ? request.body : '');
    const refuse = (error: AmountError) => showAsItIs(deps, pressed, { status: 422, refusedAmount: { typed, error } });
    if (purchase === undefined) return refuse('unreadable');
    const outcome = await spendCard(deps, admitted(gift.scope), gift.card, purchase);
    return outcome === 'too_much' ? refuse('too_much') : goBack(pressed, '#purchases');
  },

  async thank(deps, pressed) {
    const { gift, request } = pressed;
    if (gift.card === undefined) return goBack(pressed);
    const browser = browserOf(deps, request);
    if (!browser.holds(gift.gift_id, gift.holder_hash)) return askForProof(deps, pressed, await proofOf(deps, gift));
    const note = readNote(formOf(pressed).get('note') ?? '');
    const error = refuseNote(note, pageWords(pressed.reply, gift));
    if (error !== undefined && gift.thanked_at === null)
      return showAsItIs(deps, pressed, { status: 422, refusedThanks: { typed: note, error } });
    if (error === undefined) await thank(deps, gift, browser.hashFor(gift.gift_id), note);
    return goBack(pressed, '#thanks');
  },

  async decline(deps, pressed) {
    await declineGift(deps, pressed.gift);
    return goBack(pressed, '#declined');
  },

  async 'card-key'(deps, pressed) {
    const { gift, request, reply } = pressed;
    const isHolder = browserOf(deps, request).holds(gift.gift_id, gift.holder_hash);
    const { issuer } = await issuerOf(deps, gift);
    const nonce = formOf(pressed).get('nonce') ?? '';
    if (gift.card === undefined || !isHolder || issuer.isLocal) return reply.code(403).send({});
    const key = await issuer.cardKey?.(gift.card, nonce, AbortSignal.timeout(KEY_WAIT_MS));
    return reply
      .code(key === undefined ? 403 : 200)
      .header('cache-control', 'no-store')
      .send({ key });
  },

  async 'new-link'(deps, pressed) {
    const { gift, request } = pressed;
    const { issuer } = await issuerOf(deps, gift);
    if (gift.card === undefined || issuer.isLocal || issuer.reissue === undefined) return goBack(pressed);
    if (!browserOf(deps, request).holds(gift.gift_id, gift.holder_hash))
      return askForProof(deps, pressed, await proofOf(deps, gift));
    return reveal(deps, pressed, true);
  },

  async renew(deps, pressed) {
    if (pressed.gift.isExpired) await renewLink(deps, pressed.gift);
    return goBack(pressed);
  },
};

/** How long a browser waits for the key with which it shows a card. */
const KEY_WAIT_MS = 10_000;

/** Reads the field of six digits. */
const readDigits = (pressed: Pressed): string => (formOf(pressed).get('digits') ?? '').trim();
