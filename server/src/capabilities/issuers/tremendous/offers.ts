import { readTime } from 'bestow-readers/time.ts';
import type { Offer, OfferedGift, OfferQuery, Offers } from '../../../core/issuer/offers.ts';
import type { AdapterDeps, IssuerScope } from '../adapter.ts';
import type { TremendousAccount } from './account.ts';
import * as queries from './catalog-queries.ts';
import { fetchPictures } from './fetch-pictures.ts';
import { foldWords } from './fold-words.ts';
import { readCatalog } from './read-catalog.ts';

const PAGE = 24;
const MOST_WORDS = 8;
/** How long a recipient waits for the first reading. */
const FIRST_WAIT_MS = 5_000;
const TRY_AGAIN_MS = 60_000;
/** By which the clocks of Tremendous and this service may differ. */
const CLOCKS_MS = 60_000;

/** What recipients choose from on our page: products of Tremendous, kept here and read again once a day. */
export function tremendousOffers(account: TremendousAccount, scope: IssuerScope, deps: AdapterDeps): Offers {
  const { database, clock } = deps;
  const { organizationId, issuerId } = scope;
  const key = [organizationId, issuerId] as const;
  const { currency: ownCurrency } = account.settings;
  let firstTry: { atMs: number; end: Promise<void> } | undefined;

  const readProducts = async (signal: AbortSignal) => {
    const products = JSON.stringify(await readCatalog(account, signal));
    const { pool } = database.laneOf(organizationId);
    await queries.replaceProducts(pool, [...key, products, new Date(clock.now())]);
  };

  /** Only if nothing was read yet; the pictures follow with the next refresh. */
  const readFirst = async () => {
    const [known] = await queries.selectReadAt(database.read, [...key]);
    if (known?.read_at != null) return;
    if (firstTry === undefined || clock.now() - firstTry.atMs > TRY_AGAIN_MS)
      firstTry = { atMs: clock.now(), end: readProducts(AbortSignal.timeout(FIRST_WAIT_MS)) };
    await firstTry.end;
  };

  return {
    async list({ valueCents, currency, country, search, page }: OfferQuery) {
      await readFirst();
      if (currency !== ownCurrency) return { offers: [], total: 0, pages: 1, countries: [] };
      const words = foldWords(search).slice(0, MOST_WORDS);
      const [rows, countries] = await Promise.all([
        queries.selectProducts(database.read, [...key, valueCents, country ?? null, words, PAGE, page]),
        queries.selectCountries(database.read, [...key, valueCents]),
      ]);
      const total = rows[0]?.total ?? 0;
      return {
        offers: rows.map(offerOf),
        total,
        pages: Math.max(1, Math.ceil(total / PAGE)),
        countries: countries.map((row) => row.country),
      };
    },
    async find(offerId: string, { valueCents, currency, country }: OfferedGift) {
      if (currency !== ownCurrency) return undefined;
      const [row] = await queries.selectProduct(database.read, [...key, valueCents, country ?? null, offerId]);
      return row && offerOf(row);
    },
    async refresh(signal) {
      await readProducts(signal);
      await fetchPictures(scope, deps, signal);
    },
  };
}

const offerOf = (row: queries.ProductRow): Offer => ({
  offerId: row.product_id,
  name: row.name,
  description: row.description,
  howToUse: row.instructions,
  terms: row.terms,
  pictureId: row.picture_id ?? undefined,
  kind: row.kind,
});

/** Whether an event tells that products were added or removed since they were read last. */
export async function isNewOfProducts(
  body: string,
  { organizationId, issuerId }: IssuerScope,
  { database }: Pick<AdapterDeps, 'database'>,
): Promise<boolean> {
  const { event, created_utc } = JSON.parse(body) as { event?: unknown; created_utc?: unknown };
  if (event !== 'PRODUCTS.ADDED' && event !== 'PRODUCTS.REMOVED') return false;
  const [known] = await queries.selectReadAt(database.read, [organizationId, issuerId]);
  const toldAt = typeof created_utc === 'string' ? readTime(created_utc) : undefined;
  return toldAt === undefined || (known?.read_at?.getTime() ?? 0) <= toldAt.getTime() + CLOCKS_MS;
}
