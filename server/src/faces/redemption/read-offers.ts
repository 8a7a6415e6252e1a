import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import type { Offer, OfferedGift, OfferList, Offers } from '../../core/issuer/offers.ts';
import type { LinkedGift } from './find-linked-gift.ts';

/** What the recipient asks for, by the page's URL or a form. */
interface Asked {
  offerId: string;
  search: string;
  /** ISO 3166; empty: all; undefined: as the browser says. */
  country: string | undefined;
  page: number;
}

/** What the page shows of an issuer's offers: a list, or what was chosen. */
export interface ShownOffers {
  /** UUID. */
  organizationId: string;
  search: string;
  /** ISO 3166; empty: all. */
  country: string;
  page: number;
  chosen: Offer | undefined;
  /** Undefined if something is chosen, or the list cannot be read now. */
  list: OfferList | undefined;
  /** Whether the URL names what is not offered. */
  isGone: boolean;
}

export const LONGEST_SEARCH = 60;
const MOST_PAGES = 10_000;
const COUNTRY = /^[A-Z]{2}$/;
/** The region of the first language, such as `de-AT` or `zh-Hant-TW`. */
const REGION = /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?![\w-])/i;

function askedBy({ method, query, body }: FastifyRequest): Asked {
  const form = method === 'POST' && typeof body === 'string' ? new URLSearchParams(body) : undefined;
  const read = (name: string) => {
    const value = form === undefined ? (query as Record<string, unknown> | undefined)?.[name] : form.get(name);
    return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().trim() : undefined;
  };
  const country = read('country')?.toUpperCase();
  const page = Number(read('page') ?? 1);
  return {
    offerId: read('offer') ?? '',
    search: (read('search') ?? '').slice(0, LONGEST_SEARCH),
    country: country === undefined || country === '' || COUNTRY.test(country) ? country : undefined,
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MOST_PAGES) : 1,
  };
}

const giftFor = (currency: string, gift: LinkedGift, country: string | undefined): OfferedGift => ({
  valueCents: gift.amount_cents,
  currency,
  country: country === '' ? undefined : country,
});

/** Returns what a form chose, if the issuer offers it for this gift; else whether nothing was chosen, or what is gone. */
export async function chosenOffer(
  { config }: Pick<Deps, 'config'>,
  request: FastifyRequest,
  gift: LinkedGift,
  offers: Offers,
): Promise<Offer | 'nothing' | 'gone'> {
  const { offerId, country } = askedBy(request);
  if (offerId === '') return 'nothing';
  return (await offers.find(offerId, giftFor(config.currency, gift, country))) ?? 'gone';
}

/** Reads what the page of an opened gift shows of the issuer's offers. */
export async function readOffers(
  deps: Pick<Deps, 'config' | 'log'>,
  request: FastifyRequest,
  gift: LinkedGift,
  offers: Offers,
): Promise<ShownOffers> {
  const asked = askedBy(request);
  const chosen = await chosenOffer(deps, request, gift, offers);
  const { search, page } = asked;
  const { organizationId } = gift.scope;
  const common = {
    organizationId,
    search,
    page,
    chosen: undefined,
    isGone: chosen === 'gone' && request.method !== 'POST',
  };
  if (typeof chosen === 'object')
    return { ...common, country: asked.country ?? '', chosen, list: undefined, isGone: false };
  const listIn = async (country: string) => {
    const list = await offers.list({ ...giftFor(deps.config.currency, gift, country), search, page });
    return { ...common, country, list, page: Math.min(page, list.pages) };
  };
  try {
    if (asked.country !== undefined) return await listIn(asked.country);
    const region = regionOf(request, gift);
    const near = region === undefined ? undefined : await listIn(region);
    return near?.list.countries.includes(near.country) ? near : await listIn('');
  } catch (error) {
    deps.log.warn({ err: error, request_id: request.requestId }, 'What an issuer offers could not be read.');
    return { ...common, country: asked.country ?? '', list: undefined };
  }
}

/** Where the recipient probably is: by the browser's first language, else by the gift's. */
const regionOf = ({ headers }: FastifyRequest, { language }: LinkedGift): string | undefined =>
  (REGION.exec(headers['accept-language'] ?? '') ?? REGION.exec(language ?? ''))?.[1]?.toUpperCase();
