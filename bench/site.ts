import { decodeId, encodeId } from '../server/src/platform/base/ids.ts';
import { LEAN_TABLES } from './ceiling/lean-order.ts';
import { CATEGORY, GIFT_CENTS } from './ceiling/statements.ts';
import { fillEvents, fillGifts } from './fill-gifts.ts';
import type { Installation, SeededOrganization } from './installation.ts';
import { openConnection } from './load/connection.ts';
import { type LoadRequest, textOf } from './load/request.ts';

/** Test data: organizations with keys and balances, orders to replay and gifts to read. */
export interface Site {
  sandbox: SeededOrganization[];
  live: SeededOrganization[];
  /** With the Idempotency-Keys of their orders. */
  placed: { key: string; idempotencyKey: string }[];
  /** Organizations with a thousand gifts and two thousand events. */
  listed: SeededOrganization[];
  gifts: { key: string; giftId: string }[];
}

export interface SiteSize {
  organizations: number;
  ordersToReplay: number;
  listed: number;
}

export const FULL_SITE: SiteSize = { organizations: 256, ordersToReplay: 4, listed: 32 };
export const SHORT_SITE: SiteSize = { organizations: 256, ordersToReplay: 1, listed: 8 };

const GIFTS_LISTED = 1_000;
/** Two pages. */
const EVENTS_LISTED = 2_000;
const GIFTS_READ_OF_EACH = 32;
const DAY_MS = 86_400_000;

const orderBody = (gifts: number) =>
  JSON.stringify({
    gifts: Array.from({ length: gifts }, () => ({
      amount: GIFT_CENTS,
      category: CATEGORY,
      delivery: { method: 'email', email: 'ada@example.com' },
      personalization: { recipient_name: 'Ada', sender_name: 'The team' },
    })),
  });

export const orderRequest = (key: string, gifts = 2, idempotencyKey = 'fresh'): LoadRequest => ({
  method: 'POST',
  path: '/v1/orders',
  key,
  idempotencyKey,
  body: orderBody(gifts),
});

export const uuidOf = ({ organization_id }: SeededOrganization) => decodeId('org', organization_id) ?? '';

/**
 * Makes organizations with many gifts. Before a server starts: their entries have earlier ids than what it seals, so the ledger
 * would lack their seals.
 */
export async function fillListed(installation: Installation, count: number): Promise<SeededOrganization[]> {
  await installation.bestow(['catalog', 'add-built-in', '--json']);
  const listed = await installation.seed(count, 'sandbox');
  const nowMs = Date.now();
  for (const organization of listed) {
    const owner = { organizationId: uuidOf(organization), environment: 'sandbox' as const };
    const time = { fromMs: nowMs - 30 * DAY_MS, toMs: nowMs - DAY_MS };
    await fillGifts(installation.sql, { ...owner, ...time, orders: GIFTS_LISTED / 2 });
    await fillEvents(installation.sql, { ...owner, ...time }, EVENTS_LISTED);
  }
  return listed;
}

export async function prepareSite(
  installation: Installation,
  url: string,
  listed: SeededOrganization[],
  size: SiteSize,
): Promise<Site> {
  const sandbox = await installation.seed(size.organizations, 'sandbox');
  const live = await installation.seed(size.organizations, 'live');
  const placed = await placeOrders(url, sandbox, size.ordersToReplay);
  const site = { sandbox, live, placed, listed, gifts: await sampleGifts(installation, listed) };
  await makeTargets(installation, site);
  await installation.sql.query('vacuum analyze');
  return site;
}

async function placeOrders(url: string, organizations: SeededOrganization[], each: number): Promise<Site['placed']> {
  const placed: Site['placed'] = [];
  const waiting = [...organizations];
  const work = async () => {
    const connection = await openConnection(new URL(url));
    for (let organization = waiting.shift(); organization !== undefined; organization = waiting.shift())
      for (let n = 0; n < each; n += 1) {
        const idempotencyKey = `replayed-${n}`;
        const { status, body } = await connection.send(
          textOf(orderRequest(organization.key, 2, idempotencyKey)).before,
        );
        if (status !== 201) throw new Error(`An order was answered with ${status}: ${body}`);
        placed.push({ key: organization.key, idempotencyKey });
      }
    connection.close();
  };
  await Promise.all(Array.from({ length: 16 }, work));
  // Spreads each organization's orders, so that no order is replayed twice at once.
  return placed.sort((one, other) => (one.idempotencyKey < other.idempotencyKey ? -1 : 1));
}

async function sampleGifts({ sql }: Installation, listed: SeededOrganization[]): Promise<Site['gifts']> {
  const gifts: Site['gifts'] = [];
  for (const organization of listed) {
    const { rows } = await sql.query<{ gift_id: string }>(
      'select gift_id from gifts where organization_id = $1 order by hashtext(gift_id::text) limit $2',
      [uuidOf(organization), GIFTS_READ_OF_EACH],
    );
    for (const { gift_id } of rows) gifts.push({ key: organization.key, giftId: encodeId('gift', gift_id) });
  }
  return gifts;
}

const CEILING_CLIENTS = 16;

/** Gives each ceiling client its organization, an order to replay and a gift to read. */
async function makeTargets({ sql }: Installation, site: Site): Promise<void> {
  await sql.query('create schema bench');
  await sql.query(`create table bench.targets (n integer primary key, organization_id uuid, key_id uuid, member_id uuid,
    idempotency_key text, gift_id uuid)`);
  await sql.query(LEAN_TABLES);
  for (let n = 0; n < CEILING_CLIENTS; n += 1) {
    // Orders use organizations with few orders; pages and gifts use those with a thousand.
    const ordering = site.sandbox[n * Math.floor(site.sandbox.length / CEILING_CLIENTS)];
    const listed = site.listed[n % site.listed.length];
    if (ordering === undefined || listed === undefined) throw new Error('There are too few organizations.');
    await sql.query(
      `insert into bench.targets
       select $1::integer, k.organization_id, k.key_id, m.member_id, 'replayed-0', null
       from api_keys k join members m on m.organization_id = k.organization_id where k.organization_id = $2 limit 1`,
      [n, uuidOf(ordering)],
    );
    await sql.query(
      `insert into bench.targets
       select 1000 + $1::integer, organization_id, null, null, null, gift_id from gifts where organization_id = $2
       order by gift_id offset 500 limit 1`,
      [n, uuidOf(listed)],
    );
  }
  await sql.query('insert into bench.balances select organization_id, 90000000000 from bench.targets where n < 1000');
}
