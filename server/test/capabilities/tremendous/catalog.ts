import type { ListCampaigns200ResponseCampaignsInner, ListProductsResponseProductsInner } from 'tremendous';

type Product = ListProductsResponseProductsInner;
type Currency = Product['currency_codes'][number];
type Row = [
  id: string,
  name: string,
  category: Product['category'],
  subcategory: Product['subcategory'],
  currencies: Currency[],
  countries: string[],
  limits: [min: number, max: number],
];

const EURO = ['DE', 'FR', 'ES', 'IT', 'AT', 'NL'];
const rows: Row[] = [
  ['CORNERCAFEUS', 'Corner Café', 'merchant_card', 'food_and_drink', ['USD'], ['US'], [5, 500]],
  ['CORNERCAFEDE', 'Corner Café Deutschland', 'merchant_card', 'food_and_drink', ['EUR'], ['DE', 'AT'], [5, 250]],
  ['BEANSANDCOUS', 'Beans & Co.', 'merchant_card', 'food_and_drink', ['USD', 'CAD'], ['US', 'CA'], [10, 200]],
  ['EVERYTHINGUS', 'Everything Store', 'merchant_card', 'general_merchandise', ['USD'], ['US'], [1, 2_000]],
  ['EVERYTHINGGB', 'Everything Store UK', 'merchant_card', 'general_merchandise', ['GBP'], ['GB'], [1, 1_000]],
  ['GREENGROCER1', 'Greengrocer', 'merchant_card', 'grocery_and_supermarkets', ['USD'], ['US'], [10, 500]],
  ['MODEHAUSEURO', 'Modehaus', 'merchant_card', 'fashion', ['EUR'], EURO, [10, 150]],
  ['FILMNIGHTS01', 'Film Nights', 'merchant_card', 'entertainment', ['USD', 'GBP'], ['US', 'GB'], [15, 100]],
  ['VISAPREPAID1', 'Virtual Visa', 'visa_card', undefined, ['USD'], ['US', 'CA', 'GB'], [1, 2_000]],
  ['PAYPALPAYOUT', 'PayPal', 'paypal', undefined, ['USD', 'EUR', 'GBP'], ['US', 'GB', ...EURO], [1, 2_000]],
  ['BANKTRANSFER', 'Bank transfer', 'ach', undefined, ['USD'], ['US'], [1, 10_000]],
  ['CHARITYWATER', 'Clean Water Fund', 'charity', undefined, ['USD', 'EUR'], ['US', ...EURO], [0.5, 10_000]],
];

/** All products, with their pictures below this URL. */
export function productsAt(url: string): Map<string, Product> {
  return new Map(rows.map((row) => [row[0], productOf(row, url)]));
}

function productOf(
  [id, name, category, subcategory, currency_codes, countries, [min, max]]: Row,
  url: string,
): Product {
  const product: Product = {
    id,
    name,
    description: `${name}: a gift of ${min} to ${max} ${currency_codes.join(', ')}.`,
    category,
    disclosure: `<p>${name.replace('&', '&amp;')} is not a sponsor of this offer. See the <a href="https://example.com/${id}">terms</a>.</p>`,
    skus: [{ min, max }],
    currency_codes,
    countries: countries.map((abbr) => ({ abbr })),
    images: (['card', 'logo'] as const).map((type) => ({
      src: `${url}/pictures/${id}.png`,
      type,
      content_type: 'image/png',
    })),
  };
  if (subcategory !== undefined) product.subcategory = subcategory;
  if (category === 'merchant_card') product.usage_instructions = '<p>Show the code when you pay.</p>';
  if (category === 'visa_card') product.documents = { cardholder_agreement_url: 'https://example.com/agreement' };
  return product;
}

export function campaignsOf(products: Map<string, Product>): Map<string, ListCampaigns200ResponseCampaignsInner> {
  const coffee = ['CORNERCAFEUS', 'CORNERCAFEDE', 'BEANSANDCOUS'];
  return new Map([
    ['CAMPALL', { id: 'CAMPALL', name: 'All products', description: null, products: [...products.keys()] }],
    ['CAMPCOFFEE', { id: 'CAMPCOFFEE', name: 'Coffee', description: 'Coffee only', products: coffee }],
  ]);
}

export function takes({ currency_codes, skus = [] }: Product, amount: number, currency: Currency): boolean {
  return currency_codes.includes(currency) && skus.some(({ min, max }) => min <= amount && amount <= max);
}
