import { html } from 'ghtml';
import type { Offer, OfferList } from '../../core/issuer/offers.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Key } from '../../platform/languages/catalogue.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import { type BasePath, giftPath } from './base-path.ts';
import { LONGEST_SEARCH, type ShownOffers } from './read-offers.ts';
import type { ShownGift } from './shown-gift.ts';

const kinds = {
  gift_card: 'offers.giftCard',
  prepaid_card: 'offers.prepaidCard',
  bank: 'offers.bank',
  wallet: 'offers.wallet',
  charity: 'offers.charity',
} as const satisfies Record<Offer['kind'], Key>;

/** The URL of the page with this search; the offer, if it is chosen. */
function addressOf(
  basePath: BasePath,
  { search, country }: Pick<ShownOffers, 'search' | 'country'>,
  { page = 1, offerId }: { page?: number; offerId?: string },
): string {
  const query = new URLSearchParams({ country });
  if (search !== '') query.set('search', search);
  if (page > 1) query.set('page', String(page));
  if (offerId !== undefined) query.set('offer', offerId);
  return `${giftPath(basePath)}?${query}#offers`;
}

/** What the issuer offers for this gift, with a search; it needs no script. */
export function offersSection({ basePath, words = englishWords }: ShownGift, offers: ShownOffers): string {
  const { list } = offers;
  const isAll = offers.search === '' && offers.country === '';
  const isEmpty = list === undefined || (list.total === 0 && isAll);
  return html`<section class="offers" id="offers" aria-labelledby="offers-title">
<h2 id="offers-title">${words.say('choose.title')}</h2>
!${offers.isGone ? html`<p class="notice" role="alert">${words.say('choose.gone')}</p>` : ''}
!${
    isEmpty
      ? html`<p class="notice">${words.say('choose.none')}</p>`
      : html`!${searchForm(basePath, offers, list, words)}
!${list.total === 0 ? nothing(basePath, words) : found(basePath, offers, list, words)}`
  }
</section>`;
}

function searchForm(
  basePath: BasePath,
  { search, country }: ShownOffers,
  { countries }: OfferList,
  { say, language }: Words,
): string {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const options = [...new Set(country === '' ? countries : [...countries, country])]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, language))
    .map(({ code, name }) => html`<option value="${code}"!${code === country ? ' selected' : ''}>${name}</option>`);
  return html`<form class="search" method="get" action="${giftPath(basePath)}#offers" role="search">
<p><label for="search">${say('offers.name')}</label>
<input id="search" name="search" type="search" value="${search}" maxlength="${LONGEST_SEARCH}" autocomplete="off" dir="auto"></p>
<p><label for="country">${say('offers.country')}</label>
<select id="country" name="country" autocomplete="off"><option value="">${say('offers.everywhere')}</option>!${options}</select></p>
<button class="button">${say('offers.search')}</button>
</form>`;
}

const nothing = (basePath: BasePath, { say }: Words) =>
  html`<p class="nothing" role="status">${say('offers.nothing')}</p>
<p><a class="button" href="${addressOf(basePath, { search: '', country: '' }, {})}">${say('offers.all')}</a></p>`;

function found(basePath: BasePath, offers: ShownOffers, list: OfferList, words: Words): string {
  const { page } = offers;
  const { pages, total } = list;
  const link = (to: number, name: 'previous' | 'next') =>
    to < 1 || to > pages
      ? ''
      : html`<a class="button" rel="!${name === 'next' ? 'next' : 'prev'}" href="${addressOf(basePath, offers, { page: to })}">${words.say(`offers.${name}`)}</a>`;
  return html`<p class="count" role="status">${words.say('offers.count', { count: total })}</p>
<ul>
!${list.offers.map((offer) => offerLink(basePath, offers, offer, words))}</ul>
!${
    pages === 1
      ? ''
      : html`<nav class="pages" aria-label="${words.say('offers.pages')}">!${link(page - 1, 'previous')}<span>${words.say('offers.page', { page, pages })}</span>!${link(page + 1, 'next')}</nav>`
  }`;
}

const offerLink = (basePath: BasePath, offers: ShownOffers, offer: Offer, { say }: Words) =>
  html`<li><a href="${addressOf(basePath, offers, { page: offers.page, offerId: offer.offerId })}">!${picture(offers, offer)}<span><strong>!${isolated(offer.name)}</strong> <small>${say(kinds[offer.kind])}</small></span></a></li>
`;

/** It is decorative: the name is beside it. */
const picture = ({ organizationId }: ShownOffers, { pictureId }: Offer) =>
  pictureId === undefined
    ? html`<span class="artwork"></span>`
    : html`<img class="artwork" src="/offers/pictures/${encodeId('org', organizationId)}/${pictureId}.webp" width="480" height="302" alt="" loading="lazy">`;

/** What the recipient chose. The claim is below. */
export function chosenSection(gift: ShownGift, offers: ShownOffers, offer: Offer): string {
  const { basePath, words = englishWords, amountCents, currency } = gift;
  const { say } = words;
  const { name, kind, description, howToUse, terms } = offer;
  return html`<section class="offer" id="offers" aria-labelledby="offer-name">
<p><a href="${addressOf(basePath, offers, { page: offers.page })}">${say('choose.other')}</a></p>
!${picture(offers, offer)}
<h2 id="offer-name">!${isolated(name)}</h2>
<p class="kind">${say(kinds[kind])}</p>
<p class="full">${say('offers.full', { amount: words.amount(amountCents, currency) })}</p>
!${description === '' ? '' : html`<p class="text" dir="auto">${description}</p>`}
!${foldedText(say('steps.title'), howToUse)}
!${foldedText(say('offers.terms'), terms)}
</section>`;
}

const foldedText = (title: string, text: string) =>
  text === ''
    ? ''
    : html`<details>
<summary>${title}</summary>
<p class="text" dir="auto">${text}</p>
</details>`;

/** Fields of the claim's form that say what the page shows as chosen. */
export const offerFields = (offers: ShownOffers | undefined): string =>
  offers?.chosen === undefined
    ? ''
    : html`<input type="hidden" name="offer" value="${offers.chosen.offerId}"><input type="hidden" name="country" value="${offers.country}">`;
