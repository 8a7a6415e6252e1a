import type { FastifyReply } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { claimGift } from '../../core/gifts/claim/claim-gift.ts';
import { ClaimPending, ClaimRefused } from '../../core/gifts/claim/claim-refused.ts';
import type { Issuer } from '../../core/issuer/port.ts';
import type { Requirements } from '../../core/issuer/requirements.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { isLocked } from '../../platform/http/error-reply.ts';
import { sayRefusal, type Words } from '../../platform/languages/words.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { browserOf } from './browser.ts';
import { issuerOf, readClaimForm } from './claim-form.ts';
import { findLinkedGift } from './find-linked-gift.ts';
import { formOf, goBack, type Pressed, showAsItIs } from './pressed.ts';
import { chosenOffer } from './read-offers.ts';
import type { Remarks } from './show-gift.ts';
import { datesOf, readWayBack } from './way-back-form.ts';

/** Claims the gift, as the form says. */
export async function claim(deps: Deps, pressed: Pressed): Promise<FastifyReply> {
  const { gift, request, reply } = pressed;
  const words = pageWords(reply, gift);
  const { issuer, requirements } = await issuerOf(deps, gift, words);
  const offer = await offerOf(deps, pressed, issuer);
  if (offer === 'nothing' || offer === 'gone') {
    const notice = words.say(offer === 'gone' ? 'choose.gone' : 'refusal.choice');
    return showAsItIs(deps, pressed, { status: 422, notice });
  }
  const form = requirements && gift.claimed_at === null ? readForm(deps, pressed, requirements, words) : undefined;
  const way = await wayBackOf(deps, pressed, form);
  const typedWayBack = way?.typed;
  if (form !== undefined && 'refused' in form)
    return showAsItIs(deps, pressed, { status: 422, refusedClaim: form.refused, typedWayBack });
  // Shown again if the claim fails, so that it is typed once.
  const refusedClaim = form && { fields: form.entered.fields, errors: new Map() };
  const typed = { ...(refusedClaim && { refusedClaim }), typedWayBack };
  if (typedWayBack?.error !== undefined) return showAsItIs(deps, pressed, { ...typed, status: 422 });
  const browser = browserOf(deps, request);
  const holderHash = browser.hashFor(gift.gift_id);
  const categoryId = formOf(pressed).get('category') ?? undefined;
  const by = {
    linkVersion: gift.link_version,
    holderHash,
    categoryId,
    entered: form?.entered,
    offerId: offer?.offerId,
    wayBack: way?.wayBack,
  };
  try {
    await claimGift(deps, admitted(gift.scope), gift.gift_id, by);
    browser.remember(reply);
  } catch (error) {
    return afterFailure(deps, pressed, typed, error);
  }
  return goBack(pressed, '#card');
}

/** Shows why the gift is not claimed, or what there is to show if it is. @param typed what the form is shown with again */
async function afterFailure(deps: Deps, pressed: Pressed, typed: Remarks, error: unknown): Promise<FastifyReply> {
  const { gift, request, reply } = pressed;
  const words = pageWords(reply, gift);
  const browser = browserOf(deps, request);
  // A second press, or a claim by the sender's program: there is a card to show, or the link no longer works.
  if (error instanceof BestowError && error.code !== 'resource_locked') return goBack(pressed, '#card');
  if (error instanceof ClaimRefused)
    return showAsItIs(deps, pressed, { ...typed, status: error.status, notice: sayRefusal(words, error.message) });
  if (error instanceof ClaimPending) {
    if (error.cause !== undefined)
      deps.log.warn({ err: error.cause, request_id: request.requestId }, 'A card’s issuer did not answer.');
    browser.remember(reply);
    return goBack(pressed);
  }
  if (!isLocked(error)) deps.log.error({ err: error, request_id: request.requestId }, 'A claim failed.');
  // The claim may still have been committed, by this request or by another press.
  const now = await findLinkedGift(deps, pressed.basePath.token);
  if (now?.card !== undefined) {
    if (browser.holds(now.gift_id, now.holder_hash)) browser.remember(reply);
    return goBack(pressed, '#card');
  }
  return showAsItIs(deps, pressed, { ...typed, status: 503, notice: words.say('notice.noCard') });
}

/** What was chosen; undefined if the issuer lets nothing be chosen here, or the claim has begun. */
const offerOf = async (deps: Deps, { gift, request }: Pressed, { offers }: Issuer) =>
  offers === undefined || gift.claimed_at !== null || gift.claiming_at !== null
    ? undefined
    : chosenOffer(deps, request, gift, offers);

const readForm = ({ clock }: Deps, pressed: Pressed, requirements: Requirements, words: Words) =>
  readClaimForm(
    requirements,
    formOf(pressed),
    {
      at: new Date(clock.now()).toISOString(),
      address: pressed.request.ip,
      userAgent: String(pressed.request.headers['user-agent'] ?? ''),
    },
    words,
  );

/** Only a link gift needs one. */
const wayBackOf = (deps: Deps, pressed: Pressed, form: ReturnType<typeof readForm> | undefined) =>
  pressed.gift.method === 'link' && pressed.gift.claimed_at === null
    ? readWayBack(formOf(pressed), {
        issuerEmail: form && 'entered' in form ? form.entered.fields['email'] : undefined,
        dates: datesOf(deps, pressed.gift),
      })
    : undefined;
