import { html } from 'ghtml';
import { artworkImage } from '../../core/catalog/artwork-image.ts';
import type { CardDetails, CardFace, Presentation } from '../../core/issuer/port.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import { actPath, type BasePath, giftPath } from './base-path.ts';
import { help, steps } from './card-guide.ts';
import { copyButton } from './copy-button.ts';
import { copyScript } from './copy-script.ts';
import { button, disclosureNote, letter, names, notice, recipientPage, sandboxNote, simulatedNote } from './page.ts';
import { celebration } from './present.ts';
import { AMOUNT_FIELD_LENGTH } from './purchase-form.ts';
import type { AmountError, ShownCard } from './shown-card.ts';
import type { ShownGift } from './shown-gift.ts';
import { thanksSection } from './thanks-form.ts';
import { devicesPanel } from './way-back-form.ts';

/** Whether the values that the page shows can be copied; those in an issuer's frame cannot. */
export const hasCopyButtons = (presentation: Presentation): boolean =>
  (presentation.kind === 'card' && presentation.details !== undefined) ||
  (presentation.kind === 'codes' && presentation.codes !== undefined);

/** A claimed gift: its card, balance and purchases. */
export function cardPage(gift: ShownGift, card: ShownCard): string {
  const { basePath, categoryName, words = englishWords } = gift;
  const category = isolated(categoryName);
  const isSpent = card.spentCents >= gift.amountCents;
  const isLink = card.presentation.kind === 'redirect';
  const linkTitle = words.say(isSpent ? 'link.used' : 'opened.title');
  return recipientPage(
    isLink ? linkTitle : words.say(isSpent ? 'card.spentTitle' : 'card.title'),
    html`<article class="gift claimed" id="card">
<div class="names">
<h1>!${isLink ? linkTitle : words.say(isSpent ? 'card.spentFor' : 'card.for', { category })}</h1>
<p>!${names(gift)}</p>
</div>
!${isSpent ? '' : celebration(words)}
!${notice(gift.notice)}
!${presented(gift, card.presentation, isSpent)}
!${revealButton(basePath, card, words)}
!${gift.isSimulatedLive ? simulatedNote(gift, isLink) : ''}!${
      isLink || card.presentation.kind === 'codes'
        ? ''
        : html`!${balance(gift, card)}
!${isSpent || gift.isSimulatedLive ? '' : steps(gift, card)}
!${purchases(gift, card)}`
    }
!${isLink || card.presentation.kind === 'codes' ? steps(gift, card) : ''}
!${card.canReissue ? newLinkForm(basePath, words) : ''}
!${letter(gift)}
!${card.thanks === undefined ? '' : thanksSection(gift, card.thanks)}
!${card.wayBack === undefined ? '' : devicesPanel(gift, card.wayBack)}
!${purchaseForm(gift, card)}
!${help(gift)}
!${isLink ? '' : html`<p class="note">${words.say('card.claimed')}</p>`}
!${disclosureNote(gift)}!${card.purchaseId === undefined ? sandboxNote(gift) : ''}
</article>
!${hasCopyButtons(card.presentation) ? html`<script src="${copyScript.path}" defer></script>` : ''}`,
    gift,
  );
}

function revealButton(basePath: BasePath, { presentation: { kind }, isRevealed }: ShownCard, { say }: Words): string {
  if (kind === 'redirect') return button(actPath(basePath, 'reveal'), say('open.gift'));
  const what = kind === 'codes' ? 'code' : 'number';
  return isRevealed
    ? html`<p><a class="button" href="${giftPath(basePath)}">${say(`hide.${what}`)}</a></p>`
    : button(actPath(basePath, 'reveal'), say(`show.${what}`), 'plain');
}

const newLinkForm = (basePath: BasePath, { say }: Words): string =>
  html`<section class="renew"><p class="note">${say('link.fails')}</p>!${button(actPath(basePath, 'new-link'), say('link.new'), 'plain')}</section>`;

function presented(gift: ShownGift, shown: Presentation, isSpent: boolean): string {
  const { words = englishWords } = gift;
  switch (shown.kind) {
    case 'card':
      return cardFace(gift, shown.face, isSpent, shown.details);
    case 'frame':
      return shown.url === undefined
        ? cardFace(gift, shown.face, isSpent)
        : html`<iframe class="issuer" src="${shown.url}" title="${words.say('card.frame')}" referrerpolicy="no-referrer"></iframe>`;
    case 'script':
      return shown.elements === undefined ? cardFace(gift, shown.face, isSpent) : issuerElements(gift, shown.elements);
    case 'redirect':
      return isSpent
        ? ''
        : html`!${artworkImage(gift.artwork)}<p class="worth">${words.say('choose.worth', { amount: words.amount(gift.amountCents, gift.currency) })}</p>`;
    case 'codes':
      return shopCodes(gift, shown);
  }
}

/** The issuer's own page fills it, so that the number never reaches this service. */
function issuerElements(
  { basePath, words = englishWords }: ShownGift,
  { scripts, data }: NonNullable<Extract<Presentation, { kind: 'script' }>['elements']>,
): string {
  const labels = words.language === 'en' ? {} : issuerLabels(words);
  const attributes = Object.entries({ ...data, 'key-url': actPath(basePath, 'card-key'), ...labels }).map(
    ([name, value]) => html` data-!${name}="${value}"`,
  );
  return html`<section id="issuer-card" class="payment issuer" aria-label="${words.say('card.label')}"!${attributes}></section>
<noscript><p class="notice">${words.say('card.allowScripts')}</p></noscript>
!${scripts.map((url) => html`<script src="${url}" defer></script>`)}`;
}

/** What the issuer's script writes beside its frames. */
const issuerLabels = ({ say }: Words) => ({
  number: say('card.number'),
  expires: say('card.expires'),
  'security-code': say('card.securityCode'),
  failed: say('card.notShown'),
});

function shopCodes(
  { currency, words = englishWords }: ShownGift,
  { shop, codes }: Extract<Presentation, { kind: 'codes' }>,
): string {
  if (codes === undefined) return html`<p>!${words.say('codes.ready', { shop: isolated(shop) })}</p>`;
  const row = (name: string, value: string | null) =>
    value === null ? '' : html`<div><dt>${name}</dt><dd>!${isolated(value)}</dd></div>`;
  return html`!${codes.map(
    (code) => html`<section class="payment code" aria-label="${words.say('codes.code')}">
<dl>
<div class="brand"><dt>${words.say('codes.shop')}</dt><dd>!${isolated(code.shop)}!${words.language === 'ar' ? '، ' : ', '}${words.amount(code.valueCents, currency)}</dd></div>
!${code.barcode === null ? '' : html`<div class="barcode" role="img" aria-label="${words.say('codes.barcode')}">!${code.barcode}</div>`}
<div class="number"><dt>${words.say('codes.code')}</dt><dd><span class="digits">${code.code}</span> !${copyButton(words, words.say('copy.code'), code.code)}</dd></div>
!${row(words.say('codes.pin'), code.pin)}
!${row(words.say('codes.until'), code.expires === null ? null : words.day(code.expires))}
</dl>
</section>
!${code.termsUrl === null ? '' : html`<p><a href="${code.termsUrl}" rel="noreferrer">${words.say('codes.terms', { shop: code.shop })}</a></p>`}`,
  )}`;
}

/** Dots on screen, words for screen readers. */
const hidden = (dots: string, words: string) =>
  html`<span aria-hidden="true">${dots}</span><span class="unseen">${words}</span>`;

const twoDigits = (value: number) => String(value % 100).padStart(2, '0');

/** The month by its name, because `11/30` reads as a day. Forms of shops want digits, which the button copies. */
function expiry({ month, year }: CardFace['expires'], isRevealed: boolean, words: Words): string {
  const machine = `${year}-${twoDigits(month)}`;
  const digits = `${twoDigits(month)}/${twoDigits(year)}`;
  return html`<time datetime="${machine}">${words.month(new Date(Date.UTC(year, month - 1)))}</time>!${isRevealed ? html` !${copyButton(words, words.say('copy.expiry', { digits }), digits)}` : ''}`;
}

function cardFace(gift: ShownGift, face: CardFace, isSpent: boolean, details?: CardDetails | undefined): string {
  const { artwork, words = englishWords } = gift;
  const number = details
    ? html`<span class="digits">${details.number.replace(/(.{4})(?=.)/g, '$1 ')}</span> !${copyButton(words, words.say('copy.number'), details.number)}`
    : html`!${hidden('•••• •••• •••• ', `${words.say('card.endsIn')} `)}${face.lastFour}`;
  const code = details
    ? html`<span>${details.securityCode}</span> !${copyButton(words, words.say('copy.securityCode'), details.securityCode)}`
    : hidden('•••', words.say('card.hidden'));
  return html`<section class="payment!${isSpent ? ' spent' : ''}" aria-label="${words.say('card.label')}">
!${artworkImage(artwork)}
!${isSpent ? html`<p class="stamp">${words.say('card.spent')}</p>` : ''}
<dl>
<div class="brand"><dt class="unseen">${words.say('card.brand')}</dt><dd>${face.brand}</dd></div>
<div class="number"><dt class="unseen">${words.say('card.number')}</dt><dd>!${number}</dd></div>
<div><dt>${words.say('card.expires')}</dt><dd>!${expiry(face.expires, details !== undefined, words)}</dd></div>
<div><dt>${words.say('card.securityCode')}</dt><dd>!${code}</dd></div>
</dl>
</section>`;
}

function balance({ amountCents, currency, words = englishWords }: ShownGift, { spentCents }: ShownCard): string {
  const left = Math.max(0, amountCents - spentCents);
  return html`<section class="balance" aria-labelledby="balance">
<h2 id="balance">${words.say('balance.title')}</h2>
<p>!${words.say('balance.left', { left: html`<strong>${words.amount(left, currency)}</strong>`, amount: words.amount(amountCents, currency) })}</p>
<progress aria-hidden="true" max="${amountCents}" value="${left}"></progress>
!${left > 0 ? '' : html`<p class="spent-note">${words.say('balance.spent')}</p>`}
</section>`;
}

function purchases(
  { currency, words = englishWords }: ShownGift,
  { purchases: { latest, earlierCents } }: ShownCard,
): string {
  const amount = (cents: number) =>
    html`<span class="amount">!${cents < 0 ? '+' : '−'}${words.amount(Math.abs(cents), currency)}</span>`;
  const rows = latest.map(
    ({ merchant, amount_cents, created_at }) =>
      html`<li><span>!${isolated(merchant)} <time datetime="${created_at.toISOString()}">${words.dateOfPurchase(created_at)}</time></span> !${amount(amount_cents)}</li>`,
  );
  const earlier = html`<li><span>${words.say(rows.length > 0 ? 'purchases.earlier' : 'purchases.simulated')}</span> !${amount(earlierCents)}</li>`;
  return html`<section class="purchases" aria-labelledby="purchases">
<h2 id="purchases">${words.say('purchases.title')}</h2>
!${rows.length > 0 || earlierCents > 0 ? html`<ul>!${rows}!${earlierCents > 0 ? earlier : ''}</ul>` : html`<p>${words.say('purchases.none')}</p>`}
</section>`;
}

/** The suggested amount of a test purchase. */
const SUGGESTED_CENTS = 500;

function purchaseForm(gift: ShownGift, card: ShownCard): string {
  const { words = englishWords, basePath, amountCents, currency } = gift;
  if (card.purchaseId === undefined) return '';
  const leftCents = amountCents - card.spentCents;
  const sentences: Record<AmountError, string> = {
    unreadable: words.say('test.unreadable'),
    too_much: words.say('test.tooMuch', { amount: words.amount(leftCents, currency) }),
  };
  const { refusedAmount } = card;
  const error = refusedAmount && sentences[refusedAmount.error];
  const shownAmount = refusedAmount?.typed ?? (Math.min(SUGGESTED_CENTS, leftCents) / 100).toFixed(2);
  return html`<section class="panel" aria-labelledby="sandbox">
<h2 id="sandbox">${words.say('test.title')}</h2>
<p>${words.say('test.text')}</p>
<form method="post" action="${actPath(basePath, 'purchase')}#sandbox">
<input type="hidden" name="purchase_id" value="${card.purchaseId}">
<label for="amount">${words.say('test.amount', { currency })}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="${AMOUNT_FIELD_LENGTH}" value="${shownAmount}"!${error === undefined ? '' : ' aria-invalid="true" aria-describedby="amount-error"'}>
<button class="button">${words.say('test.buy')}</button>
!${error === undefined ? '' : html`<p class="notice" id="amount-error" role="alert">${error}</p>`}
</form>
</section>`;
}
