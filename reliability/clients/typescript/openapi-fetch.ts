// Buys with openapi-fetch and the types of openapi-typescript, and prints what it saw as JSON.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

declare const process: { env: Record<string, string | undefined> };
const { BESTOW_URL = '', BESTOW_KEY = '', BESTOW_ORDER = '' } = process.env;
const api = createClient<paths>({ baseUrl: BESTOW_URL, headers: { Authorization: `Bearer ${BESTOW_KEY}` } });

type Answer = { response: Response; error?: components['schemas']['ErrorResponse'] };
const errorOf = ({ response, error }: Answer) => `${response.status} ${error?.error.code}`;

const place = (category: string) =>
  api.POST('/v1/orders', {
    params: { header: { 'Idempotency-Key': BESTOW_ORDER } },
    body: { gifts: [{ amount: 2500, category, delivery: { method: 'email', email: 'ada@example.com' } }] },
  });
const giftOf = (gift_id: string) => ({ params: { path: { gift_id } } });

const wrong = await place('nothing');
const placed = await place('coffee');
const replay = await place('coffee');
const [gift] = placed.data?.gifts ?? [];
if (gift === undefined) throw new Error('There is no gift.');
const read = await api.GET('/v1/gifts/{gift_id}', giftOf(gift.gift_id));
const delivered = await api.POST('/v1/sandbox/gifts/{gift_id}/deliver', giftOf(gift.gift_id));
const missing = await api.GET('/v1/gifts/{gift_id}', giftOf('gift_none'));
const categories = await api.GET('/v1/categories');

let count = 0;
for (let starting_after: string | undefined; ; ) {
  const { data } = await api.GET('/v1/gifts', {
    params: { query: { limit: 2, ...(starting_after ? { starting_after } : {}) } },
  });
  // The type includes the text of a CSV file.
  if (data === undefined || typeof data === 'string') throw new Error('There is no page.');
  count += data.data.length;
  if (!data.has_more) break;
  starting_after = data.data.at(-1)?.gift_id;
}

const filtered = await api.GET('/v1/gifts', { params: { query: { metadata: { shop: 'nothing' } } } });

console.log(
  JSON.stringify({
    wrong: errorOf(wrong),
    placed: `${placed.response.status} ${gift.delivery.status} ${gift.amount}`,
    replay: `${replay.response.status} ${replay.data?.order_id === placed.data?.order_id}`,
    read: read.data?.delivery.status,
    delivered: delivered.data?.delivery.status,
    missing: errorOf(missing),
    categories: categories.data?.data.length,
    gifts: count,
    filtered: typeof filtered.data === 'object' && filtered.data.data.length,
  }),
);
