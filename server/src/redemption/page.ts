import { html } from 'ghtml';
import { formatAmount } from '../base/format-money.ts';
import { artworkImage } from '../catalog/artwork-image.ts';
import { page } from '../pages/layout.ts';
import { actPath, type BasePath, giftPath } from './base-path.ts';
import { openPresent, wrappedPresent } from './present.ts';

/** What every page of a gift shows. */
export interface ShownGift {
  basePath: BasePath;
  senderName: string;
  recipientName: string | undefined;
  amountCents: number;
  categoryName: string;
  /** The category's picture, if any. */
  artwork: string | null;
  currency: string;
  isSandbox: boolean;
  /** An error message. */
  notice?: string | undefined;
}

/** A page for recipients. */
export function recipientPage(title: string, body: string): string {
  return page({ title, description: 'Someone sent you a gift.', isPrivate: true, body });
}

/** A form with one button. */
export const button = (action: string, text: string, kind: 'primary' | 'plain' = 'primary'): string =>
  html`<form method="post" action="${action}"><button class="button !${kind === 'primary' ? 'primary large' : ''}">${text}</button></form>`;

export const notice = (text: string | undefined): string =>
  text === undefined ? '' : html`<p class="notice" role="alert">${text}</p>`;

export const sandboxNote = ({ isSandbox }: Pick<ShownGift, 'isSandbox'>): string =>
  isSandbox ? html`<p class="sandbox"><span>Sandbox: a test gift without real money.</span></p>` : '';

/** A wrapped gift: recipient and sender, but not the amount or category. */
export function wrappedPage(gift: ShownGift): string {
  const { basePath, senderName, recipientName } = gift;
  return recipientPage(
    'A gift',
    html`<article class="gift">
<div class="names">
<h1>A gift for !${recipientName === undefined ? 'you' : html`<bdi>${recipientName}</bdi>`}</h1>
<p>from <bdi>${senderName}</bdi></p>
</div>
!${wrappedPresent}
!${notice(gift.notice)}
!${button(actPath(basePath, 'open'), 'Unwrap')}
<p class="note">Open it when you like. This link is yours alone, so don’t forward it.</p>
!${sandboxNote(gift)}
</article>`,
  );
}

/** An opened gift, with the button to claim it. */
export function openedPage(gift: ShownGift): string {
  const { basePath, senderName, recipientName, amountCents, currency, categoryName, artwork } = gift;
  return recipientPage(
    'Your gift',
    html`<article class="gift" id="unwrapped">
!${openPresent(artwork)}
<div class="names">
<h1><span class="worth">${formatAmount(amountCents, currency)}</span> for <bdi>${categoryName}</bdi></h1>
<p>!${recipientName === undefined ? 'A gift' : html`For <bdi>${recipientName}</bdi>,`} from <bdi>${senderName}</bdi></p>
</div>
!${notice(gift.notice)}
!${button(actPath(basePath, 'claim'), 'Claim')}
<p class="note">Claiming puts the full amount on a card for you. You can only claim once.</p>
!${sandboxNote(gift)}
</article>`,
  );
}

/** Whether a new link can be sent. The address is masked. */
export type NewLink =
  | { state: 'possible' | 'sent' | 'exhausted'; address: string; isSandbox: boolean }
  | { state: 'impossible'; senderName: string };

/** The page of an expired link. */
export function expiredLinkPage(basePath: BasePath, newLink: NewLink): string {
  const title = newLink.state === 'sent' ? 'We sent you a new link' : 'This link has expired';
  return recipientPage(
    title,
    html`<div class="gift">
!${artworkImage(null)}
<h1>${title}</h1>
!${newLinkOffer(basePath, newLink)}
</div>`,
  );
}

function newLinkOffer(basePath: BasePath, newLink: NewLink): string {
  if (newLink.state === 'impossible')
    return html`<p>Your gift is safe. Ask <bdi>${newLink.senderName}</bdi> for a new link.</p>`;
  const address = html`<bdi class="address">${newLink.address}</bdi>`;
  const sandbox = newLink.isSandbox
    ? html`<p class="sandbox"><span>Sandbox: the message is only in the outbox.</span></p>`
    : '';
  switch (newLink.state) {
    case 'possible':
      return html`<p>Your gift is safe. We can send a new link to the same address, !${address}.</p>
!${button(actPath(basePath, 'renew'), 'Send a new link')}
!${sandbox}`;
    case 'sent':
      return html`<p role="status">A new link is on its way to !${address}.</p>
<p class="note">It can take a few minutes. Check your spam folder. After an hour you can request another link here.</p>
!${sandbox}`;
    case 'exhausted':
      return html`<p>Your gift is safe. We sent several links to !${address} today, and the latest one works.</p>
<p class="note">You can request another link tomorrow.</p>`;
  }
}

/** The page of an invalid link, or of a link that a redirect ended. */
export function unknownLinkPage(): string {
  return recipientPage(
    'This link does not open a gift',
    html`<div class="gift">
<h1>This link does not open a gift</h1>
<p>Check that the link is complete, or open it again from your message. If it still does not work, ask the sender for help.</p>
</div>`,
  );
}

/** The answer to a form of another site. */
export function foreignFormPage(basePath: BasePath): string {
  return recipientPage(
    'Request blocked',
    html`<div class="gift">
<h1>Request blocked</h1>
<p>Another website tried to press a button on this page, so we did nothing. Your gift has not changed.</p>
<p><a class="button" href="${giftPath(basePath)}">Go to your gift</a></p>
</div>`,
  );
}

/** The answer to a client above its rate limit. */
export function tooManyPage(basePath: BasePath): string {
  return recipientPage(
    'Too many requests',
    html`<div class="gift">
<h1>Too many requests</h1>
<p>Your network sent too many requests. Your gift has not changed. Try again in a moment.</p>
<p><a class="button primary" href="${giftPath(basePath)}">Try again</a></p>
</div>`,
  );
}

/** The answer after an unexpected error. */
export function failedPage(basePath: BasePath): string {
  return recipientPage(
    'Something went wrong',
    html`<div class="gift">
<h1>Something went wrong</h1>
<p>The problem is on our side. Your gift is safe. Try again in a moment.</p>
<p><a class="button primary" href="${giftPath(basePath)}">Try again</a></p>
</div>`,
  );
}
