import { html } from 'ghtml';
import { formatAmount } from '../base/format-money.ts';
import { artworkImage } from '../catalog/artwork-image.ts';
import { page } from '../pages/layout.ts';
import { actPath, giftPath, type Place } from './place.ts';
import { openPresent, wrappedPresent } from './present.ts';

/** What every state of the page speaks of. */
export interface ShownGift {
  place: Place;
  senderName: string;
  recipientName: string | undefined;
  amountCents: number;
  categoryName: string;
  /** Of the category; null where it has none. */
  artwork: string | null;
  currency: string;
  isSandbox: boolean;
  /** What went wrong a moment ago, in a sentence. */
  notice?: string | undefined;
}

/** A page for whoever received a gift. */
export function recipientPage(title: string, body: string): string {
  return page({ title, description: 'Someone has sent a gift.', isPrivate: true, body });
}

/** One button that posts. Names are kept apart from the sentences around them, whatever direction they are written in. */
export const button = (action: string, text: string, kind: 'primary' | 'plain' = 'primary'): string =>
  html`<form method="post" action="${action}"><button class="button !${kind === 'primary' ? 'primary large' : ''}">${text}</button></form>`;

export const notice = (text: string | undefined): string =>
  text === undefined ? '' : html`<p class="notice" role="alert">${text}</p>`;

export const sandboxNote = ({ isSandbox }: Pick<ShownGift, 'isSandbox'>): string =>
  isSandbox ? html`<p class="sandbox"><span>Sandbox: a test gift, without real money.</span></p>` : '';

/** Before it is unwrapped: whose gift it is and from whom, and nothing of what is in it. */
export function wrappedPage(gift: ShownGift): string {
  const { place, senderName, recipientName } = gift;
  return recipientPage(
    'A gift',
    html`<article class="gift">
<div class="names">
<h1>A gift for !${recipientName === undefined ? 'you' : html`<bdi>${recipientName}</bdi>`}</h1>
<p>from <bdi>${senderName}</bdi></p>
</div>
!${wrappedPresent}
!${notice(gift.notice)}
!${button(actPath(place, 'open'), 'Unwrap')}
<p class="note">There is no hurry. Keep the link: it belongs to whoever the gift is for.</p>
!${sandboxNote(gift)}
</article>`,
  );
}

/** Unwrapped: what it is, and the button that makes it the recipient's own. */
export function openedPage(gift: ShownGift): string {
  const { place, senderName, recipientName, amountCents, currency, categoryName, artwork } = gift;
  return recipientPage(
    'Your gift',
    html`<article class="gift" id="unwrapped">
!${openPresent(artwork)}
<div class="names">
<h1><span class="worth">${formatAmount(amountCents, currency)}</span> for <bdi>${categoryName}</bdi></h1>
<p>!${recipientName === undefined ? 'A gift' : html`For <bdi>${recipientName}</bdi>,`} from <bdi>${senderName}</bdi></p>
</div>
!${notice(gift.notice)}
!${button(actPath(place, 'claim'), 'Claim')}
<p class="note">Claiming puts the whole amount on a card of your own. It can be done once.</p>
!${sandboxNote(gift)}
</article>`,
  );
}

/** What can be said about a fresh link. The address is masked. */
export type FreshLink =
  | { state: 'possible' | 'sent' | 'exhausted'; address: string; isSandbox: boolean }
  | { state: 'impossible' };

/** Behind a link that was good once. */
export function expiredLinkPage(place: Place, freshLink: FreshLink): string {
  return recipientPage(
    'This link has expired',
    html`<div class="gift">
!${artworkImage(null)}
<h1>This link has expired</h1>
!${freshLinkOffer(place, freshLink)}
</div>`,
  );
}

function freshLinkOffer(place: Place, freshLink: FreshLink): string {
  if (freshLink.state === 'impossible')
    return html`<p>The gift itself is not lost. Ask the person who sent it to you for a new link.</p>`;
  const address = html`<bdi class="address">${freshLink.address}</bdi>`;
  const sandbox = freshLink.isSandbox
    ? html`<p class="sandbox"><span>Sandbox: the message stays in the outbox.</span></p>`
    : '';
  switch (freshLink.state) {
    case 'possible':
      return html`<p>The gift itself is not lost. We can send a fresh link to !${address}, where the first one went.</p>
!${button(actPath(place, 'renew'), 'Send a fresh link')}
!${sandbox}`;
    case 'sent':
      return html`<p role="status">A fresh link is on its way to !${address}.</p>
<p class="note">It can take a few minutes. If it does not come, look where unwanted messages end up; after an hour you can ask for another one here.</p>
!${sandbox}`;
    case 'exhausted':
      return html`<p>The gift itself is not lost. We have sent several links to !${address} today, and the latest one works.</p>
<p class="note">Tomorrow you can ask for another one here.</p>`;
  }
}

/** Behind a link that was never good, or that was replaced when the gift was sent to another address. */
export function unknownLinkPage(): string {
  return recipientPage(
    'This link does not open a gift',
    html`<div class="gift">
<h1>This link does not open a gift</h1>
<p>Check that the link is complete, or open it again from the message it came in. If it still does not work, ask the person who sent it to you.</p>
</div>`,
  );
}

/** For a form that another site sent. */
export function foreignFormPage(place: Place): string {
  return recipientPage(
    'That did not come from here',
    html`<div class="gift">
<h1>That did not come from here</h1>
<p>Another website tried to press a button of this page, so nothing was done. Your gift is as it was.</p>
<p><a class="button" href="${giftPath(place)}">Go to your gift</a></p>
</div>`,
  );
}

/** For an address that asked too often. */
export function tooManyPage(place: Place): string {
  return recipientPage(
    'One moment',
    html`<div class="gift">
<h1>One moment</h1>
<p>Too many pages were asked for from where you are. Your gift is as it was: try again in a moment.</p>
<p><a class="button primary" href="${giftPath(place)}">Try again</a></p>
</div>`,
  );
}

/** For what should not happen. */
export function failedPage(place: Place): string {
  return recipientPage(
    'That did not work',
    html`<div class="gift">
<h1>That did not work</h1>
<p>Something went wrong on our side. Nothing is lost: try again in a moment.</p>
<p><a class="button primary" href="${giftPath(place)}">Try again</a></p>
</div>`,
  );
}
