// Buys with the client of @hey-api/openapi-ts and prints what it saw as JSON.
import { client } from './bestow/client.gen.ts';
import type { ErrorResponse } from './bestow/index.ts';
import { createOrder, listCategories, listGifts, retrieveGift, simulateDelivery } from './bestow/index.ts';

declare const process: { env: Record<string, string | undefined> };
const { BESTOW_URL = '', BESTOW_KEY = '', BESTOW_ORDER = '' } = process.env;
client.setConfig({ baseUrl: BESTOW_URL, auth: BESTOW_KEY });

type Answer = { response?: Response; error?: ErrorResponse };
const errorOf = ({ response, error }: Answer) => `${response?.status} ${error?.error.code}`;

const place = (category: string) =>
  createOrder({
    headers: { 'Idempotency-Key': BESTOW_ORDER },
    body: { gifts: [{ amount: 2500, category, delivery: { method: 'email', email: 'ada@example.com' } }] },
  });
const giftOf = (gift_id: string) => ({ path: { gift_id } });

const wrong = await place('nothing');
const placed = await place('coffee');
const replay = await place('coffee');
const [gift] = placed.data?.gifts ?? [];
if (gift === undefined) throw new Error('There is no gift.');
const read = await retrieveGift(giftOf(gift.gift_id));
const delivered = await simulateDelivery(giftOf(gift.gift_id));
const missing = await retrieveGift(giftOf('gift_none'));
const categories = await listCategories();

let count = 0;
for (let starting_after: string | undefined; ; ) {
  const { data } = await listGifts({ query: { limit: 2, ...(starting_after ? { starting_after } : {}) } });
  count += data?.data.length ?? 0;
  if (!data?.has_more) break;
  starting_after = data.data.at(-1)?.gift_id;
}

const filtered = await listGifts({ query: { metadata: { shop: 'nothing' } } });

console.log(
  JSON.stringify({
    wrong: errorOf(wrong),
    placed: `${placed.response?.status} ${gift.delivery.status} ${gift.amount}`,
    replay: `${replay.response?.status} ${replay.data?.order_id === placed.data?.order_id}`,
    read: read.data?.delivery.status,
    delivered: delivered.data?.delivery.status,
    missing: errorOf(missing),
    categories: categories.data?.data.length,
    gifts: count,
    filtered: filtered.data?.data.length,
  }),
);
