import { html } from 'ghtml';
import { formatAmount } from '../base/format-money.ts';
import type { CardDetails, CardFace } from '../cards/issuer.ts';
import type { Purchases } from '../cards/list-purchases.ts';
import { artworkImage } from '../catalog/artwork-image.ts';
import { actPath, giftPath } from './base-path.ts';
import { button, notice, recipientPage, type ShownGift, sandboxNote } from './page.ts';
import { AMOUNT_FIELD_LENGTH } from './purchase-form.ts';

export type AmountError = 'unreadable' | 'too_much';

/** The amount that a person typed for a test purchase, and its error. */
export interface RefusedAmount {
  typed: string;
  error: AmountError;
}

export interface ShownCard {
  face: CardFace;
  /** Only if the person asked for the number. */
  details: CardDetails | undefined;
  spentCents: number;
  purchases: Purchases;
  /** The id of the next test purchase; undefined if none is possible. */
  purchaseId: string | undefined;
  refusedAmount?: RefusedAmount | undefined;
}

/** A claimed gift: its card, balance and purchases. */
export function cardPage(gift: ShownGift, card: ShownCard): string {
  const { basePath, senderName, recipientName, categoryName } = gift;
  return recipientPage(
    'Your card',
    html`<article class="gift claimed" id="card">
<div class="names">
<h1>Your card for <bdi>${categoryName}</bdi></h1>
<p>!${recipientName === undefined ? 'A gift' : html`For <bdi>${recipientName}</bdi>,`} from <bdi>${senderName}</bdi></p>
</div>
!${notice(gift.notice)}
!${cardFace(gift, card)}
!${card.details ? html`<p><a class="button" href="${giftPath(basePath)}">Hide number</a></p>` : button(actPath(basePath, 'reveal'), 'Show number', 'plain')}
!${balance(gift, card)}
!${purchases(gift, card)}
!${purchaseForm(gift, card)}
<p class="note">This gift has been claimed. Keep the link to come back to your card.</p>
!${card.purchaseId === undefined ? sandboxNote(gift) : ''}
</article>`,
  );
}

/** Dots on screen, words for screen readers. */
const hidden = (dots: string, words: string) =>
  html`<span aria-hidden="true">${dots}</span><span class="unseen">${words}</span>`;

const twoDigits = (value: number) => String(value % 100).padStart(2, '0');

function cardFace({ artwork }: ShownGift, { face, details }: ShownCard): string {
  const number = details
    ? html`<span class="digits">${details.number.replace(/(.{4})(?=.)/g, '$1 ')}</span>`
    : html`!${hidden('•••• •••• •••• ', 'hidden, ends in ')}${face.lastFour}`;
  return html`<section class="payment" aria-label="Card">
!${artworkImage(artwork)}
<dl>
<div class="brand"><dt class="unseen">Brand</dt><dd>${face.brand}</dd></div>
<div class="number"><dt class="unseen">Number</dt><dd>!${number}</dd></div>
<div><dt>Expires</dt><dd>${twoDigits(face.expires.month)}/${twoDigits(face.expires.year)}</dd></div>
<div><dt>Security code</dt><dd>!${details ? html`${details.securityCode}` : hidden('•••', 'hidden')}</dd></div>
</dl>
</section>`;
}

function balance({ amountCents, currency }: ShownGift, { spentCents }: ShownCard): string {
  const left = amountCents - spentCents;
  return html`<section class="balance" aria-labelledby="balance">
<h2 id="balance">Balance</h2>
<p><strong>${formatAmount(left, currency)}</strong> of ${formatAmount(amountCents, currency)}</p>
<progress aria-hidden="true" max="${amountCents}" value="${left}"></progress>
</section>`;
}

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

function purchases({ currency }: ShownGift, { purchases: { latest, earlierCents } }: ShownCard): string {
  const amount = (cents: number) => html`<span class="amount">−${formatAmount(cents, currency)}</span>`;
  const rows = latest.map(
    ({ merchant, amount_cents, created_at }) =>
      html`<li><span><bdi>${merchant}</bdi> <time datetime="${created_at.toISOString()}">${dateFormat.format(created_at)}</time></span> !${amount(amount_cents)}</li>`,
  );
  const earlier = html`<li><span>${rows.length > 0 ? 'Earlier purchases' : 'Spent in a simulation'}</span> !${amount(earlierCents)}</li>`;
  return html`<section class="purchases" aria-labelledby="purchases">
<h2 id="purchases">Purchases</h2>
!${rows.length > 0 || earlierCents > 0 ? html`<ul>!${rows}!${earlierCents > 0 ? earlier : ''}</ul>` : html`<p>No purchases yet.</p>`}
</section>`;
}

/** The suggested amount of a test purchase. */
const SUGGESTED_CENTS = 500;

function purchaseForm({ basePath, amountCents, currency }: ShownGift, card: ShownCard): string {
  if (card.purchaseId === undefined) return '';
  const leftCents = amountCents - card.spentCents;
  const sentences: Record<AmountError, string> = {
    unreadable: 'Enter an amount such as 5.00.',
    too_much: `Only ${formatAmount(leftCents, currency)} is left on the card.`,
  };
  const { refusedAmount } = card;
  const error = refusedAmount && sentences[refusedAmount.error];
  const shownAmount = refusedAmount?.typed ?? (Math.min(SUGGESTED_CENTS, leftCents) / 100).toFixed(2);
  return html`<section class="panel" aria-labelledby="sandbox">
<h2 id="sandbox">Sandbox</h2>
<p>This is a test gift. Simulate a purchase with its card, without real money.</p>
<form method="post" action="${actPath(basePath, 'purchase')}#sandbox">
<input type="hidden" name="purchase_id" value="${card.purchaseId}">
<label for="amount">Amount in ${currency}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="${AMOUNT_FIELD_LENGTH}" value="${shownAmount}"!${error === undefined ? '' : ' aria-invalid="true" aria-describedby="amount-error"'}>
<button class="button">Make a test purchase</button>
!${error === undefined ? '' : html`<p class="notice" id="amount-error" role="alert">${error}</p>`}
</form>
</section>`;
}
