import type { FastifyReply } from 'fastify';
import { type Proof, proofOf } from '../../core/card-proofs/prove.ts';
import { listPurchases } from '../../core/cards/list-purchases.ts';
import { ANY_CATEGORY } from '../../core/catalog/any-category.ts';
import { inLanguage, nameIn } from '../../core/catalog/category-names.ts';
import type { Deps } from '../../core/deps.ts';
import { pageFace, shownSender } from '../../core/face/face.ts';
import { listChoices } from '../../core/gifts/claim/choose-category.ts';
import { ERASED_ADDRESS } from '../../core/gifts/gift/address.ts';
import { renewability } from '../../core/gifts/send/renew-link.ts';
import type { Issuer, Presentation } from '../../core/issuer/port.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import { claimedDisclosure, disclosure } from '../../platform/languages/disclosure.ts';
import { englishWords, sayRefusal, type Words } from '../../platform/languages/words.ts';
import { plainMessage } from '../../platform/messaging/plain-name.ts';
import { type Embedded, htmlReply, pagePolicy } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { wrappedGiftPath } from '../../platform/pages/wrapped-gift.ts';
import { actPath, type BasePath } from './base-path.ts';
import { browserOf } from './browser.ts';
import { cardPage, hasCopyButtons } from './card-page.ts';
import { claimForm, issuerOf, type RefusedClaim } from './claim-form.ts';
import { copyScript } from './copy-script.ts';
import { expiredLinkPage, type NewLink } from './expired-page.ts';
import type { LinkedGift } from './find-linked-gift.ts';
import { canceledPage, claimingPage, heldPage, openedPage, wrappedPage } from './page.ts';
import { proofPage } from './proof-page.ts';
import { readOffers } from './read-offers.ts';
import type { RefusedAmount } from './shown-card.ts';
import type { Choice, ShownGift, TypedWayBack } from './shown-gift.ts';
import type { Thanks } from './thanks-form.ts';

/** What an act adds to the gift's page. */
export interface Remarks {
  status?: number;
  notice?: string;
  isRevealed?: boolean;
  /** Asks for this proof instead of showing the card. */
  proof?: Proof;
  refusedAmount?: RefusedAmount;
  refusedClaim?: RefusedClaim;
  typedWayBack?: TypedWayBack | undefined;
  refusedThanks?: Thanks;
}

/** Answers with the page of a wrapped, opened, claimed, held or canceled gift, or of an expired link. */
export async function showGift(
  deps: Deps,
  reply: FastifyReply,
  basePath: BasePath,
  gift: LinkedGift,
  remarks: Remarks = {},
): Promise<FastifyReply> {
  const words = pageWords(reply, gift);
  const senderName = senderOf(gift);
  const face = pageFace(gift.brand, gift.organization_name);
  if (gift.canceled_at !== null) return htmlReply(reply, canceledPage(senderName, words, face), 410);
  if (gift.held_by !== null) return htmlReply(reply, heldPage(senderName, words, face), remarks.status);
  if (gift.isExpired) return htmlReply(reply, expiredLinkPage(basePath, await newLink(deps, gift), words, face), 410);
  const { status = 200 } = remarks;
  const shown = shownGift(deps, basePath, gift, remarks, words);
  if (gift.claiming_at !== null || gift.card_state === 'inactive') return htmlReply(reply, claimingPage(shown), status);
  if (gift.card !== undefined && remarks.proof !== undefined) {
    const { issuer } = await issuerOf(deps, gift);
    const contentSecurityPolicy = pagePolicy([], embeddedBy(await issuer.present(gift.card, false)));
    return htmlReply(reply, proofPage(shown, remarks.proof), status, { contentSecurityPolicy });
  }
  if (gift.card !== undefined) {
    const { issuer } = await issuerOf(deps, gift);
    // A link that was taken back leads nowhere.
    if (gift.card_state === 'closed' && issuer.capabilities.kind === 'link')
      return htmlReply(reply, canceledPage(senderName, words, face), 410);
    const isHolder = browserOf(deps, reply.request).holds(gift.gift_id, gift.holder_hash);
    const { document, embedded } = await claimedPage(deps, shown, gift, remarks, isHolder);
    return htmlReply(reply, document, status, { contentSecurityPolicy: pagePolicy([gift.artwork], embedded) });
  }
  if (gift.opened_at !== null) {
    const choice = await choiceOf(deps, gift, words);
    const opened = { ...shown, choice };
    const imageUrls = [gift.artwork, ...(choice?.offered.map(({ artwork }) => artwork) ?? [])];
    const page = openedPage({ ...opened, ...(await claimOf(deps, reply, gift, opened, remarks)) });
    return htmlReply(reply, page, status, { imageUrls });
  }
  return htmlReply(reply, wrappedPage(shown), status);
}

function shownGift(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  basePath: BasePath,
  gift: LinkedGift,
  remarks: Remarks,
  words: Words,
): ShownGift {
  const lastDay = gift.expires_at === null ? undefined : words.lastDay(gift.expires_at);
  return {
    words,
    basePath,
    giftId: encodeId('gift', gift.gift_id),
    senderName: senderOf(gift),
    face: pageFace(gift.brand, gift.organization_name),
    organizationName: gift.organization_name,
    recipientName: gift.recipient_name ?? undefined,
    note: gift.message === null ? undefined : plainMessage(gift.message),
    amountCents: gift.amount_cents,
    categoryName: nameIn(words.language, gift),
    pictureUrl: deps.publicUrl() + wrappedGiftPath,
    artwork: gift.artwork,
    currency: deps.config.currency,
    lastDay,
    disclosure:
      gift.card === undefined ? disclosure(words, gift.program, lastDay) : claimedDisclosure(words, gift.program),
    isSandbox: gift.scope.environment === 'sandbox',
    isDeclined: gift.declined_at !== null,
    asksWayBack: gift.method === 'link',
    typedWayBack: remarks.typedWayBack,
    notice: remarks.notice,
    operator: deps.config.operator,
  };
}

export const senderOf = ({ sender_name, organization_name, brand }: LinkedGift) =>
  shownSender(sender_name, organization_name, brand);

async function choiceOf(
  deps: Pick<Deps, 'database'>,
  gift: LinkedGift,
  { language }: Words,
): Promise<Choice | undefined> {
  if (gift.category_id !== ANY_CATEGORY) return undefined;
  const offered = (await listChoices(deps)).map((category) => inLanguage(language, category));
  return { offered, chosenId: gift.chosen_category_id };
}

/** What the claim's page says of the issuer. */
async function claimOf(
  deps: Deps,
  { request }: FastifyReply,
  gift: LinkedGift,
  shown: ShownGift,
  remarks: Remarks,
): Promise<Partial<ShownGift>> {
  const { basePath, words = englishWords, choice } = shown;
  // The issuer depends on the choice.
  if (choice?.chosenId === null) return {};
  const { issuer, requirements } = await issuerOf(deps, gift, words);
  const offers = issuer.offers && (await readOffers(deps, request, gift, issuer.offers));
  return {
    isSimulatedLive: isSimulatedLive(gift, issuer),
    offers,
    claimForm:
      requirements && claimForm(actPath(basePath, 'claim'), requirements, remarks.refusedClaim, { ...shown, offers }),
    notice: remarks.notice ?? (gift.refusal === null ? undefined : sayRefusal(words, gift.refusal)),
  };
}

const isSimulatedLive = ({ scope }: LinkedGift, { capabilities }: Issuer) =>
  scope.environment === 'live' && !capabilities.isReal;

async function claimedPage(
  deps: Deps,
  shown: ShownGift,
  gift: LinkedGift,
  remarks: Remarks,
  isHolder: boolean,
): Promise<{ document: string; embedded: Embedded }> {
  const { card } = gift;
  if (card === undefined) throw new Error('The gift is not claimed.');
  const { issuer } = await issuerOf(deps, gift);
  const isRevealed = remarks.isRevealed ?? false;
  const [presentation, purchases] = await Promise.all([issuer.present(card, isRevealed), listPurchases(deps, card)]);
  const canBuy = shown.isSandbox && card.spentCents < card.valueCents;
  const document = cardPage(
    { ...shown, isSimulatedLive: isSimulatedLive(gift, issuer) },
    {
      presentation,
      isRevealed,
      spentCents: card.spentCents,
      purchases,
      purchaseId: canBuy ? deps.ids.next() : undefined,
      refusedAmount: remarks.refusedAmount,
      wayBack: gift.method === 'link' && isHolder ? await proofOf(deps, gift) : undefined,
      thanks: isHolder || isRevealed ? thanksOf(gift, remarks) : undefined,
      canReissue: isHolder && !issuer.isLocal && issuer.reissue !== undefined && card.issued?.state === 'active',
    },
  );
  return { document, embedded: embeddedBy(presentation) };
}

function thanksOf({ thanked_at, thanks, address }: LinkedGift, { refusedThanks }: Remarks): Thanks | undefined {
  if (thanked_at !== null) return { note: thanks };
  return address === ERASED_ADDRESS ? undefined : (refusedThanks ?? 'possible');
}

function embeddedBy(presentation: Presentation): Embedded {
  if (presentation.kind === 'redirect') return { targets: presentation.targets };
  if (hasCopyButtons(presentation)) return { scripts: [copyScript.path] };
  if (presentation.kind === 'frame' && presentation.url !== undefined) return { frames: [presentation.url] };
  if (presentation.kind !== 'script' || presentation.elements === undefined) return {};
  const { scripts, hosts } = presentation.elements;
  return { frames: hosts, scripts, connects: hosts };
}

async function newLink(deps: Deps, gift: LinkedGift): Promise<NewLink> {
  const state = await renewability(deps, gift);
  if (state === 'impossible' || gift.address === null) {
    const { operator } = deps.config;
    return { state: 'impossible', senderName: senderOf(gift), isClaimed: gift.claimed_at !== null, operator };
  }
  return { state, address: maskAddress(gift.address), isSandbox: gift.scope.environment === 'sandbox' };
}
