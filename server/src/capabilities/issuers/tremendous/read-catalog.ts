import type { ListProductsResponseProductsInner } from 'tremendous';
import type { Offer } from '../../../core/issuer/offers.ts';
import { answerOf, type TremendousAccount, TremendousError } from './account.ts';
import { foldWords } from './fold-words.ts';
import { theirAddress } from './links.ts';
import { plainText } from './plain-text.ts';

type Product = ListProductsResponseProductsInner;

/** As `tremendous_products` has it. */
interface ReadProduct {
  product_id: string;
  position: number;
  name: string;
  description: string;
  instructions: string;
  terms: string;
  kind: Offer['kind'];
  words: string;
  countries: string[];
  amounts: string;
  picture_url: string | undefined;
}

const kinds: Record<Product['category'], Offer['kind']> = {
  merchant_card: 'gift_card',
  visa_card: 'prepaid_card',
  ach: 'bank',
  instant_debit_transfer: 'bank',
  international_bank: 'bank',
  paypal: 'wallet',
  venmo: 'wallet',
  cash_app: 'wallet',
  charity: 'charity',
};

const MOST_PRODUCTS = 10_000;
const PRODUCT_ID = /^[\w-]{1,40}$/;
const COUNTRY = /^[A-Z]{2}$/;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 5_000;
const LONGEST_TERMS = 20_000;

/** Reads the products that recipients can choose, in the order of the setting `products`, or Tremendous's. */
export async function readCatalog(account: TremendousAccount, signal: AbortSignal): Promise<ReadProduct[]> {
  const { settings, products } = account;
  const hasOwnList = settings.products.length > 0;
  const allowed = hasOwnList ? settings.products : await productsOfCampaign(account, signal);
  // Tremendous lists all products in one answer.
  const answer = await answerOf(products.listProducts(undefined, settings.currency, undefined, { signal }));
  if (!Array.isArray(answer.products)) throw new TremendousError('Tremendous answered with no list.', 200);
  const chosen = answer.products.filter((one) => allowed.includes(one.id) && isSold(one, settings.currency));
  if (hasOwnList) chosen.sort((a, b) => allowed.indexOf(a.id) - allowed.indexOf(b.id));
  const known = new Map(chosen.slice(0, MOST_PRODUCTS).map((product) => [product.id, product]));
  const read = [...known.values()].map((product, position) => productOf(account, product, position));
  return settings.countries.length === 0 ? read : read.flatMap((product) => within(settings.countries, product));
}

async function productsOfCampaign({ campaigns, settings }: TremendousAccount, signal: AbortSignal): Promise<string[]> {
  const { campaign } = await answerOf(campaigns.getCampaign(settings.campaign ?? '', { signal }));
  if (!Array.isArray(campaign?.products)) throw new TremendousError('The campaign has no list of products.', 200);
  return campaign.products;
}

/** Only in these countries; nothing if it is offered in others. */
function within(allowed: readonly string[], product: ReadProduct): ReadProduct[] {
  const countries =
    product.countries.length === 0 ? [...allowed] : product.countries.filter((one) => allowed.includes(one));
  return countries.length === 0 ? [] : [{ ...product, countries }];
}

const isSold = ({ id, name, currency_codes }: Product, currency: string) =>
  PRODUCT_ID.test(id) &&
  plainText(name, LONGEST_NAME) !== '' &&
  (currency_codes as readonly string[]).includes(currency);

function productOf({ settings }: TremendousAccount, product: Product, position: number): ReadProduct {
  const { id, category, subcategory, disclosure, documents, countries, skus, images } = product;
  const name = plainText(product.name, LONGEST_NAME);
  const image = images?.find(({ type }) => type === 'card') ?? images?.[0];
  const agreement = documents?.cardholder_agreement_url;
  return {
    product_id: id,
    position,
    name,
    description: plainText(product.description, LONGEST_TEXT),
    instructions: plainText(product.usage_instructions, LONGEST_TEXT),
    terms: plainText([disclosure, agreement].filter((text) => text != null).join('\n'), LONGEST_TERMS),
    kind: kinds[category] ?? 'gift_card',
    words: foldWords(`${name} ${subcategory?.replaceAll('_', ' ') ?? ''}`).join(' '),
    countries: (countries ?? []).map(({ abbr }) => abbr).filter((abbr) => COUNTRY.test(abbr)),
    amounts: skus === undefined ? '{(,)}' : `{${skus.map(rangeOf).join()}}`,
    picture_url: theirAddress(settings, image?.src),
  };
}

/** In cents; an amount that is no number takes nothing. */
function rangeOf({ min, max }: { min: number; max: number }): string {
  const [least, most] = [Math.round(min * 100), Math.round(max * 100)];
  return Number.isSafeInteger(least) && Number.isSafeInteger(most) && least <= most ? `[${least},${most}]` : 'empty';
}
