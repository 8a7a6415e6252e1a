import { verifyLedger } from '../server/src/capabilities/seals/verify-ledger.ts';
import { type GiftSearch, searchGifts } from '../server/src/core/gifts/find/search-gifts.ts';
import { encodeId } from '../server/src/platform/base/ids.ts';
import { connectDatabase } from '../server/src/platform/database/connections.ts';
import { readUrl } from '../server/src/platform/database/read-url.ts';
import type { Installation } from './installation.ts';
import { type Connection, openConnection } from './load/connection.ts';
import { textOf } from './load/request.ts';
import { orderRequest, type Site, uuidOf } from './site.ts';

/** Repeats of each task; the portal's searches cost more. */
const TIMES = 200;
const TIMES_OF_SEARCH = 40;
const PAGE = 25;

export interface Work {
  times: number;
  /** Runs the task once; the argument counts up from 0. */
  act(n: number): Promise<unknown>;
}

export interface Reader {
  works: Record<string, Work>;
  close(): Promise<void>;
}

/** Each filter of the portal's list. */
const searches: Record<string, GiftSearch> = {
  'no filter': {},
  'status sent': { status: 'sent' },
  'status opened': { status: 'opened' },
  'status claimed': { status: 'claimed' },
  'status failed': { status: 'failed' },
  'method phone': { method: 'phone' },
  'category books': { category: 'books' },
  'an unknown name': { query: 'No such person' },
  'the beginning of an address': { query: 'person-4' },
};

/** Filters of `/v1`: each alone, with many matches or none, and combinations. */
const filtered: readonly string[] = [
  'gifts?status=sent',
  'gifts?status=claimed',
  'gifts?status=canceled',
  'gifts?status=failed&category=books',
  'gifts?delivery_method=email',
  'gifts?delivery_method=phone',
  'gifts?delivery_method=phone&status=opened&category=books',
  'gifts?category=books',
  'gifts?category=unknown',
  'gifts?category=unknown&status=claimed',
  'gifts?recipient=person-7@example.com',
  'gifts?recipient=no.such.person@example.com',
  'gifts?recipient=no.such.person@example.com&category=books',
  'gifts?external_id=unknown',
  'gifts?metadata[team]=unknown',
  'gifts?metadata[half]=1',
  'gifts?metadata[half]=1&status=failed&category=books&delivery_method=phone',
  'gifts?metadata[half]=1&category=books',
  'gifts?metadata[n]=unknown&metadata[half]=1&category=books',
  'orders?metadata[half]=1',
  'orders?metadata[team]=unknown',
  'orders?metadata[half]=1&category=unknown',
  'gifts?created_after=2026-01-01T00:00:00Z&category=unknown',
  'orders?status=processing',
  'orders?category=books',
  'orders?category=unknown',
  'orders?delivery_method=link',
  'orders?recipient=no.such.person@example.com',
  'orders?external_id=unknown',
  'balance/entries?kind=funding',
  'balance/entries?kind=order',
];

/** Reads of an organization's programs and people. */
export async function openReader(
  { sql, databaseUrl }: Installation,
  url: string,
  organization: Site['sandbox'][number],
): Promise<Reader> {
  const organizationId = uuidOf(organization);
  const database = connectDatabase(readUrl(databaseUrl), () => undefined);
  // Opened by the first request: the server closes one that waits for the other side's rows.
  let opened: Promise<Connection> | undefined;
  const connection = () => (opened ??= openConnection(new URL(url)));
  const { gifts, deepGift, deepOrder } = await readGiftIds(sql, organizationId);
  const { key } = organization;

  async function send(request: string, status: number): Promise<void> {
    const answer = await (await connection()).send(request);
    if (answer.status !== status)
      throw new Error(`${request.split('\r\n', 1)} was answered with ${answer.status}: ${answer.body}`);
  }
  const get = (path: string) => textOf({ method: 'GET', path, key }).before;
  const reads = (pathOf: (n: number) => string): Work => ({ times: TIMES, act: (n) => send(get(pathOf(n)), 200) });
  const search = (request: GiftSearch): Work => ({
    times: TIMES_OF_SEARCH,
    act: () => searchGifts({ database }, { organizationId, environment: 'sandbox' }, { ...request, limit: PAGE }),
  });
  const run = process.hrtime.bigint();
  const place: Work = {
    times: TIMES,
    act: (n) => send(textOf(orderRequest(key, 2, `growth-${run}-${n}`)).before, 201),
  };

  return {
    works: {
      'GET /v1/health, which reads nothing': reads(() => '/v1/health'),
      'POST /v1/orders': place,
      'GET /v1/gifts/{gift_id}': reads((n) => `/v1/gifts/${encodeId('gift', gifts[n % gifts.length]?.gift_id ?? '')}`),
      'GET /v1/orders/{order_id}': reads(
        (n) => `/v1/orders/${encodeId('ord', gifts[n % gifts.length]?.order_id ?? '')}`,
      ),
      'GET /v1/gifts, first page': reads(() => '/v1/gifts'),
      'GET /v1/gifts, deep inside, older': reads(() => `/v1/gifts?starting_after=${deepGift}`),
      'GET /v1/gifts, deep inside, newer': reads(() => `/v1/gifts?ending_before=${deepGift}`),
      'GET /v1/orders, first page': reads(() => '/v1/orders'),
      'GET /v1/orders, deep inside, older': reads(() => `/v1/orders?starting_after=${deepOrder}`),
      'GET /v1/orders, deep inside, newer': reads(() => `/v1/orders?ending_before=${deepOrder}`),
      'GET /v1/balance': reads(() => '/v1/balance'),
      ...Object.fromEntries(filtered.map((path) => [`GET /v1/${path}`, reads(() => `/v1/${path}`)])),
      ...Object.fromEntries(
        Object.entries(searches).map(([name, request]) => [`the portal’s list, ${name}`, search(request)]),
      ),
      'ledger verify': { times: 1, act: () => verifyLedger({ database }) },
    },
    async close() {
      (await opened)?.close();
      await database.close();
    },
  };
}

/** Picks random gifts, and a gift from the middle of the list. */
async function readGiftIds(sql: Installation['sql'], organizationId: string) {
  const { rows: gifts } = await sql.query<{ gift_id: string; order_id: string }>(
    'select gift_id, order_id from gifts where organization_id = $1 order by hashtext(gift_id::text) limit $2',
    [organizationId, TIMES],
  );
  const { rows: middle } = await sql.query<{ gift_id: string; order_id: string }>(
    `select gift_id, order_id from gifts where organization_id = $1 order by gift_id
     offset (select count(*) / 2 from gifts where organization_id = $1) limit 1`,
    [organizationId],
  );
  return {
    gifts,
    deepGift: encodeId('gift', middle[0]?.gift_id ?? ''),
    deepOrder: encodeId('ord', middle[0]?.order_id ?? ''),
  };
}
