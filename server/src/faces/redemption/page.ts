import { html } from 'ghtml';
import { artworkImage } from '../../core/catalog/artwork-image.ts';
import { type OperatorContact, operatorLine } from '../../platform/configuration/operator-contact.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import { type PageFace, page } from '../../platform/pages/layout.ts';
import { actPath, type BasePath, giftPath } from './base-path.ts';
import { choiceSection, worth } from './choose-form.ts';
import { claimButton } from './claim-button.ts';
import { chosenSection, offersSection } from './offers-form.ts';
import { openPresent, wrappedPresent } from './present.ts';
import type { ShownGift } from './shown-gift.ts';
import { unsureNotes } from './unsure-notes.ts';

interface PageOptions {
  /** When the browser loads the gift's page again, without scripts. */
  refresh?: { seconds: number; url: string };
  /** The absolute URL of the picture that chats show with the link. */
  pictureUrl?: string | undefined;
  words?: Words | undefined;
  isTried?: boolean;
  /** How the organization looks. */
  face?: PageFace | undefined;
}

/** A page for recipients. Its preview says nothing about the gift, because anyone in a chat sees it. */
export function recipientPage(title: string, body: string, options: PageOptions = {}): string {
  const { refresh, pictureUrl, words = englishWords, isTried = false, face } = options;
  const preview = pictureUrl === undefined ? undefined : { title: words.say('chrome.preview'), pictureUrl };
  const description = words.say('chrome.description');
  return page({ title, description, isPrivate: true, body, refresh, preview, words, canSwitch: !isTried, face });
}

/** A form with one button. */
export const button = (action: string, text: string, kind: 'primary' | 'plain' = 'primary'): string =>
  html`<form method="post" action="${action}"><button class="button !${kind === 'primary' ? 'primary large' : ''}">${text}</button></form>`;

export const notice = (text: string | undefined): string =>
  text === undefined ? '' : html`<p class="notice" role="alert">${text}</p>`;

export const sandboxNote = ({ isSandbox, words = englishWords }: Pick<ShownGift, 'isSandbox' | 'words'>): string =>
  isSandbox ? html`<p class="sandbox"><span>${words.say('sandbox.gift')}</span></p>` : '';

/** The sender's message, in its own direction. It is text: nothing in it is a link. */
export const letter = ({ note, senderName }: Pick<ShownGift, 'note' | 'senderName'>): string =>
  note === undefined
    ? ''
    : html`<figure class="letter" dir="auto">
<blockquote>${note}</blockquote>
<figcaption>— !${isolated(senderName)}</figcaption>
</figure>`;

const lastDayNote = ({ lastDay, words = englishWords }: ShownGift) =>
  lastDay === undefined ? undefined : html`${words.say('gift.claimBy', { day: lastDay })}`;

/** From whom the gift is, and to whom. */
export const names = ({ words = englishWords, recipientName, senderName }: ShownGift): string =>
  recipientName === undefined
    ? words.say('gift.giftFrom', { sender: isolated(senderName) })
    : words.say('gift.forFrom', { recipient: isolated(recipientName), sender: isolated(senderName) });

export const disclosureNote = ({ disclosure }: ShownGift): string =>
  disclosure === undefined
    ? ''
    : html`<p class="note">${disclosure}</p>
`;

/** A live card that is simulated, by this service or by an issuer's sandbox. */
export const simulatedNote = ({ words = englishWords }: Pick<ShownGift, 'words'>, isByIssuer = false): string =>
  html`<p class="notice"><strong>${words.say('gift.buysNothing')}</strong>!${isByIssuer ? '' : html` ${words.say('gift.simulated')}`}</p>`;

const REFRESH_SECONDS = 3;

/** The card is being created, or switched on. The page comes back by itself. */
export function claimingPage(gift: ShownGift): string {
  const { words = englishWords, basePath, senderName, amountCents, currency, face } = gift;
  const amount = words.amount(amountCents, currency);
  return recipientPage(
    words.say('claiming.title'),
    html`<article class="gift">
!${artworkImage(null)}
<h1>${words.say('claiming.title')}</h1>
<p role="status">!${words.say('claiming.wait', { amount, sender: isolated(senderName) })}</p>
<p class="note">${words.say('claiming.again')}</p>
<p><a class="button" href="${giftPath(basePath)}">${words.say('claiming.look')}</a></p>
</article>`,
    { words, refresh: { seconds: REFRESH_SECONDS, url: giftPath(basePath) }, face },
  );
}

/** A wrapped gift: recipient and sender, but not the amount or category. */
export function wrappedPage(gift: ShownGift): string {
  const { basePath, senderName, recipientName, words = englishWords } = gift;
  return recipientPage(
    words.say('wrapped.title'),
    html`<article class="gift">
<div class="names">
<h1>!${recipientName === undefined ? words.say('wrapped.forYou') : words.say('wrapped.for', { recipient: isolated(recipientName) })}</h1>
<p>!${words.say('gift.from', { sender: isolated(senderName) })}</p>
</div>
!${wrappedPresent}
!${notice(gift.notice)}
!${button(actPath(basePath, 'open'), words.say('wrapped.unwrap'))}
<p class="note">!${words.join(lastDayNote(gift) ?? words.say('wrapped.anytime'), words.say('wrapped.yours'))}</p>
!${unsureNotes(gift)}
!${sandboxNote(gift)}
</article>`,
    gift,
  );
}

/** An opened gift, with the button to claim it. */
export function openedPage(gift: ShownGift): string {
  const { words = englishWords, amountCents, currency, artwork, choice } = gift;
  const amount = html`<span class="worth">${words.amount(amountCents, currency)}</span>`;
  return recipientPage(
    words.say('opened.title'),
    html`<article class="gift" id="unwrapped">
!${openPresent(artwork)}
<div class="names">
<h1>!${worth(gift, amount)}</h1>
<p>!${names(gift)}</p>
</div>
!${letter(gift)}
!${notice(gift.notice)}
!${gift.isSimulatedLive ? simulatedNote(gift) : ''}!${choice?.chosenId === null ? '' : claimPart(gift)}!${choiceSection(gift)}
<p class="note">!${words.join(lastDayNote(gift) ?? '', words.say(gift.offers === undefined ? 'opened.once' : 'offers.once'))}</p>
!${unsureNotes(gift)}
!${disclosureNote(gift)}!${sandboxNote(gift)}
</article>`,
    gift,
  );
}

/** The claim; before it, if the issuer lets the recipient choose, the choice. */
function claimPart(gift: ShownGift): string {
  const { offers, claimForm } = gift;
  if (offers !== undefined && offers.chosen === undefined) return offersSection(gift, offers);
  const claim = claimForm ?? claimButton(gift);
  return offers?.chosen === undefined ? claim : html`!${chosenSection(gift, offers, offers.chosen)}!${claim}`;
}

/** The page of a gift on hold. It shows nothing of the gift. */
export function heldPage(senderName: string, words = englishWords, face?: PageFace): string {
  return recipientPage(
    words.say('held.title'),
    html`<div class="gift">
!${artworkImage(null)}
<h1>${words.say('held.title')}</h1>
<p>!${words.say('held.text', { sender: isolated(senderName) })}</p>
</div>`,
    { words, face },
  );
}

/** The page of a canceled gift. It shows nothing of the gift, and not why it was canceled. */
export function canceledPage(senderName: string, words = englishWords, face?: PageFace): string {
  return recipientPage(
    words.say('canceled.title'),
    html`<div class="gift">
!${artworkImage(null)}
<h1>${words.say('canceled.title')}</h1>
<p>!${words.say('canceled.text', { sender: isolated(senderName) })}</p>
</div>`,
    { words, face },
  );
}

/** The page of an invalid link, or of a link that a redirect ended. */
export function unknownLinkPage(words = englishWords, operator?: OperatorContact): string {
  return recipientPage(
    words.say('unknown.title'),
    html`<div class="gift">
!${artworkImage(null)}
<h1>${words.say('unknown.title')}</h1>
<p>${words.say('unknown.text')}</p>
<p><a class="button" href="/find">${words.say('unknown.find')}</a></p>
!${operatorLine(operator)}
</div>`,
    { words },
  );
}

/** The answer to a form of another site. */
export function foreignFormPage(basePath: BasePath, words = englishWords): string {
  return recipientPage(
    words.say('blocked.title'),
    html`<div class="gift">
<h1>${words.say('blocked.title')}</h1>
<p>${words.say('blocked.gift')}</p>
<p><a class="button" href="${giftPath(basePath)}">${words.say('blocked.go')}</a></p>
</div>`,
    { words },
  );
}

/** The answer to a client above its rate limit. */
export function tooManyPage(basePath: BasePath, words = englishWords): string {
  return recipientPage(
    words.say('limited.title'),
    html`<div class="gift">
<h1>${words.say('limited.title')}</h1>
<p>${words.say('limited.text')}</p>
<p><a class="button primary" href="${giftPath(basePath)}">${words.say('again')}</a></p>
</div>`,
    { words },
  );
}

/** The answer after an unexpected error. */
export function failedPage(basePath: BasePath, words = englishWords): string {
  return recipientPage(
    words.say('failed.title'),
    html`<div class="gift">
<h1>${words.say('failed.title')}</h1>
<p>${words.say('failed.text')}</p>
<p><a class="button primary" href="${giftPath(basePath)}">${words.say('again')}</a></p>
</div>`,
    { words },
  );
}
