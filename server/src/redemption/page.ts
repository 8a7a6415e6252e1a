import { html } from 'ghtml';
import { artworkImage } from '../catalog/artwork-image.ts';
import { page } from '../pages/layout.ts';

export interface LinkedGift {
  senderName: string;
  recipientName: string | undefined;
  categoryName: string;
  /** Of the category; null where it has none. */
  artwork: string | null;
  isClaimed: boolean;
}

/**
 * The page behind a redemption link: whose gift it is. It shows no amount and changes nothing. Names are kept apart from
 * the sentence around them, whatever direction they are written in.
 */
export function linkPage({ senderName, recipientName, categoryName, artwork, isClaimed }: LinkedGift): string {
  return page({
    title: 'A gift',
    description: 'Someone has sent a gift.',
    isPrivate: true,
    body: html`<article class="gift">
!${artworkImage(artwork)}
<div class="names">
<h1>A gift for !${recipientName === undefined ? 'you' : html`<bdi>${recipientName}</bdi>`}</h1>
<p>from <bdi>${senderName}</bdi></p>
</div>
<p>It is for <bdi>${categoryName}</bdi>.</p>
<p class="note">!${isClaimed ? 'This gift has been claimed.' : 'Nothing has been used up by opening this page. Keep the link: it belongs to whoever the gift is for.'}</p>
</article>`,
  });
}

/** Behind a link that was good once. */
export function expiredLinkPage(): string {
  return page({
    title: 'This link has expired',
    description: 'This link to a gift has expired.',
    isPrivate: true,
    body: html`<div class="gift">
!${artworkImage(null)}
<h1>This link has expired</h1>
<p>The gift itself is not lost. Ask the person who sent it to you for a new link.</p>
</div>`,
  });
}

/** Behind a link that was never good, or that was replaced when the gift was sent to another address. */
export function unknownLinkPage(): string {
  return page({
    title: 'This link does not open a gift',
    description: 'This link does not open a gift.',
    isPrivate: true,
    body: html`<div class="gift">
<h1>This link does not open a gift</h1>
<p>Check that the link is complete, or open it again from the message it came in. If it still does not work, ask the person who sent it to you.</p>
</div>`,
  });
}
