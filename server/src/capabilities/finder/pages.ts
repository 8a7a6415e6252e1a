import { html } from 'ghtml';
import { nameIn } from '../../core/catalog/category-names.ts';
import { digitsField } from '../../faces/redemption/digits-field.ts';
import { notice, recipientPage } from '../../faces/redemption/page.ts';
import { wrappedPresent } from '../../faces/redemption/present.ts';
import { digitsForm } from '../../faces/redemption/proof-page.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import type { Words } from '../../platform/languages/words.ts';
import { digitsScript } from './digits-script.ts';
import { type FoundGift, MOST_GIFTS } from './find-gifts.ts';

const EXAMPLE = '+1 202 555 0100';

/** Asks for the address. @param typed what was typed before, and what is wrong with it */
export const addressPage = (words: Words, typed = '', error?: string): string =>
  recipientPage(
    words.say('find.title'),
    html`<div class="gift">
<div class="names">
<h1>${words.say('find.title')}</h1>
<p>${words.say('find.lost')}</p>
</div>
!${wrappedPresent}
<form class="details" method="post" action="/find">
<p><label for="address">${words.say('find.address')}</label>
<input id="address" name="address" required maxlength="254" autocomplete="email" autocapitalize="none" spellcheck="false" value="${typed}"!${words.direction === 'rtl' ? ' dir="ltr"' : ''} aria-describedby="address-hint!${error === undefined ? '' : ' address-error'}"!${error === undefined ? '' : ' aria-invalid="true"'}>
<small id="address-hint">!${words.say('find.hint', { example: words.direction === 'rtl' ? html`<bdi dir="ltr">${EXAMPLE}</bdi>` : EXAMPLE })}</small></p>
!${error === undefined ? '' : html`<p class="notice" id="address-error" role="alert">${error}</p>`}
<button class="button primary large">${words.say('find.send')}</button>
</form>
<p class="note">${words.say('find.note')}</p>
</div>`,
    { words },
  );

/** Asks for the code. It is the same for every address. */
export const codePage = (words: Words, address: string, digits: number, error?: string): string =>
  recipientPage(
    words.say('find.codeTitle'),
    html`<div class="gift">
<div class="names">
<h1>${words.say('find.codeTitle')}</h1>
<p role="status">!${words.say('find.sent', { address: isolated(address) })}</p>
</div>
!${notice(error)}
!${digitsForm('/find/gifts', html`<input type="hidden" name="address" value="${address}">!${digitsField(words, words.say('proof.code'), 'one-time-code', true, { digits })}`, words.say('find.show'))}
<p class="note">${words.say('find.codeNote')}</p>
<p><a class="button" href="/find">${words.say('find.other')}</a></p>
</div>
<script src="${digitsScript.path}" defer></script>`,
    { words },
  );

/** An unopened gift stays a surprise. */
const stateOf = ({ say, language }: Words, { claimed_at, ...gift }: FoundGift) =>
  claimed_at !== null
    ? say(gift.is_spent ? 'find.spent' : 'find.card', { category: isolated(nameIn(language, gift)) })
    : say(gift.opened_at !== null ? 'find.unwrapped' : 'find.wrapped');

function row(words: Words, gift: FoundGift): string {
  const { say } = words;
  const day = html`<time datetime="${gift.created_at.toISOString()}">${words.day(gift.created_at)}</time>`;
  const organization = isolated(gift.organization_name);
  return html`<li><a href="${gift.link}">!${say('find.from', { sender: isolated(gift.sender_name) })}</a>
<p>!${stateOf(words, gift)}</p>
<p>!${gift.organization_name === gift.sender_name ? day : say('find.through', { organization, day })}</p></li>`;
}

export const giftsPage = (words: Words, address: string, gifts: readonly FoundGift[]): string =>
  recipientPage(
    words.say('find.giftsTitle'),
    html`<div class="gift">
<div class="names">
<h1>${words.say('find.count', { count: gifts.length })}</h1>
<p>!${words.say('find.sentTo', { address: isolated(address) })}</p>
</div>
!${gifts.length === 0 ? html`<p>${words.say('find.none')}</p>` : html`<ul class="found">!${gifts.map((gift) => row(words, gift))}</ul>`}
!${gifts.length === MOST_GIFTS ? html`<p class="note">${words.say('find.newest', { most: MOST_GIFTS })}</p>` : ''}
<p class="note">${words.say('find.links')}</p>
</div>`,
    { words },
  );

export const tooManyPage = (words: Words, minutes: number): string =>
  recipientPage(
    words.say('find.limited'),
    html`<div class="gift">
<h1>${words.say('find.limited')}</h1>
<p>${words.say('find.wait', { minutes })}</p>
<p><a class="button primary" href="/find">${words.say('find.back')}</a></p>
</div>`,
    { words },
  );

export const blockedPage = (words: Words): string =>
  recipientPage(
    words.say('blocked.title'),
    html`<div class="gift">
<h1>${words.say('blocked.title')}</h1>
<p>${words.say('blocked.finder')}</p>
<p><a class="button" href="/find">${words.say('find.title')}</a></p>
</div>`,
    { words },
  );
