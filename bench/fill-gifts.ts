import type { Client } from 'pg';
import type { Environment } from '../server/src/platform/base/environment.ts';

/** Orders of two gifts each, spread over a span of time. */
export interface Filling {
  /** UUID of an organization with a member, a key and enough balance. */
  organizationId: string;
  environment: Environment;
  orders: number;
  /** Milliseconds since the epoch; later than every order of the organization. */
  fromMs: number;
  toMs: number;
  /** Gives each order and gift two pairs: `half`, 0 or 1, and `n`, 0 to 999. */
  hasMetadata?: boolean;
}

const FILLED_ORDER_CENTS = 5_000;

/** Makes a UUIDv7; `kind` separates ids of the same order. */
const id = (kind: string) =>
  `(lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(${kind}), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid`;

const source = `select n, $4::bigint + ($5::bigint - $4::bigint) * n / $3::bigint as ms,
    to_timestamp(($4::bigint + ($5::bigint - $4::bigint) * n / $3::bigint) / 1000.0) as created_at
  from generate_series(1, $3::bigint) n`;

const owner = '$1::uuid as organization_id, $2::environment as environment';

const metadata = `case when $7::boolean then jsonb_build_object('half', (n % 2)::text, 'n', (n % 1000)::text) end`;

const insertOrders = `insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents,
    key_id, member_id, created_at, metadata)
  select ${owner}, ${id('0')}, ms || '-' || n, sha256(n::text::bytea), $6,
    (select key_id from api_keys where organization_id = $1 order by key_id limit 1),
    (select member_id from members where organization_id = $1 order by member_id limit 1), created_at, ${metadata}
  from (${source}) o order by n`;

const insertEntries = `insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents,
    balance_after_cents, order_id, created_at)
  select ${owner}, ${id('1')}, 'order', -$6::bigint, b.balance_cents - n * $6::bigint, ${id('0')}, created_at
  from (${source}) o, (select balance_cents from balances where organization_id = $1 and environment = $2) b order by n`;

// 6 of 10 by email, 2 by phone, 2 as links; half claimed, of which a third each is unspent, half spent and spent; 1 of
// 100 failed, 1 of 12 pending.
const insertGifts = `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id,
    method, address, delivery_state, recipient_name, sender_name, link_expires_at, created_at, opened_at, claimed_at,
    card_id, spent_cents, delivery_id, metadata)
  select ${owner}, ${id('2 + position')}, ${id('0')}, position, $6::integer / 2,
    (array['coffee', 'books', 'travel'])[1 + chance % 3], method::delivery_method,
    case method when 'email' then 'person-' || n || '@example.com' when 'phone' then '+1202' || 1000000 + n end,
    case when method = 'link' then null when fate in ('failed', 'pending') then fate else 'delivered' end::delivery_state,
    case when chance % 4 > 0 then 'Name ' || n end, 'The Team', created_at + interval '30 days', created_at,
    case when fate in ('opened', 'claimed') then created_at + interval '1 hour' end,
    case when fate = 'claimed' then created_at + interval '2 hours' end,
    case when fate = 'claimed' then ${id('2 + position')} end,
    case when fate = 'claimed' then $6::integer / 4 * (chance / 1000 % 3) else 0 end,
    case when method <> 'link' then ${id('4 + position')} end, ${metadata}
  from (
    select *, case when chance % 10 < 6 then 'email' when chance % 10 < 8 then 'phone' else 'link' end as method,
      case when chance / 10 % 100 < 50 then 'claimed' when chance / 10 % 100 < 70 then 'opened'
        when chance / 10 % 100 < 71 and chance % 10 < 8 then 'failed' when chance / 10 % 100 < 79 then 'pending'
        else 'delivered' end as fate
    from (select o.*, position, hashint8(2 * n + position) & 2147483647 as chance from (${source}) o, generate_series(0, 1) position) c
  ) g order by n, position`;

const insertDeliveries = `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address,
    link_version, link_expires_at, state, reason, created_at)
  select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, 1, link_expires_at,
    delivery_state::text::delivery_progress, case delivery_state when 'failed' then 'There is no such mailbox.' end, created_at
  from gifts
  where organization_id = $1 and environment = $2 and delivery_id is not null
    and gift_id > (lpad(to_hex($3::bigint), 12, '0') || repeat('0', 20))::uuid
    and gift_id < (lpad(to_hex($4::bigint + 1), 12, '0') || repeat('0', 20))::uuid
  order by gift_id`;

const insertPurchases = `insert into card_purchases (organization_id, environment, gift_id, purchase_id, merchant,
    amount_cents, created_at)
  select organization_id, environment, gift_id, gift_id, 'Shop', spent_cents, claimed_at + interval '1 hour'
  from gifts
  where organization_id = $1 and environment = $2 and spent_cents > 0
    and gift_id > (lpad(to_hex($3::bigint), 12, '0') || repeat('0', 20))::uuid
    and gift_id < (lpad(to_hex($4::bigint + 1), 12, '0') || repeat('0', 20))::uuid
  order by gift_id`;

/** What the triggers would insert. */
const insertPairs = (resource: 'gift' | 'order') => `insert into metadata_pairs
  select organization_id, environment, '${resource}', metadata_pair(key, value), ${resource}_id
  from ${resource}s cross join jsonb_each_text(metadata)
  where organization_id = $1 and environment = $2 and metadata is not null
    and ${resource}_id > (lpad(to_hex($3::bigint), 12, '0') || repeat('0', 20))::uuid
    and ${resource}_id < (lpad(to_hex($4::bigint + 1), 12, '0') || repeat('0', 20))::uuid`;

const debit = `update balances
  set balance_cents = balance_cents - $3::bigint,
    last_id = (select gift_id from gifts where organization_id = $1 and environment = $2 order by gift_id desc limit 1)
  where organization_id = $1 and environment = $2`;

/**
 * Inserts about 10,000 orders a second. All constraints hold and `bestow ledger verify` passes. Foreign key triggers
 * are off during the insert, so the user must be a superuser, as in the embedded PostgreSQL.
 */
export async function fillGifts(client: Client, filling: Filling): Promise<void> {
  const { organizationId, environment, orders, fromMs, toMs, hasMetadata = false } = filling;
  const owned = [organizationId, environment];
  const span = [...owned, orders, fromMs, toMs, FILLED_ORDER_CENTS];
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query(insertOrders, [...span, hasMetadata]);
  await client.query(insertEntries, span);
  await client.query(insertGifts, [...span, hasMetadata]);
  await client.query(insertDeliveries, [...owned, fromMs, toMs]);
  await client.query(insertPurchases, [...owned, fromMs, toMs]);
  if (hasMetadata)
    for (const resource of ['gift', 'order'] as const)
      await client.query(insertPairs(resource), [...owned, fromMs, toMs]);
  await client.query(debit, [...owned, orders * FILLED_ORDER_CENTS]);
  await client.query('commit');
}

/** Replaces the events of an environment by this many. */
export async function fillEvents(client: Client, owner: Omit<Filling, 'orders'>, events: number): Promise<void> {
  const { organizationId, environment, fromMs, toMs } = owner;
  await client.query('delete from events where organization_id = $1 and environment = $2', [
    organizationId,
    environment,
  ]);
  await client.query(
    `with counter as (
       insert into event_counters (organization_id, environment, last_sequence) values ($1, $2, $3)
       on conflict (organization_id, environment) do update set last_sequence = excluded.last_sequence
     )
     insert into events (organization_id, environment, sequence, type, order_id, gift_id, data, created_at)
     select $1, $2, n, case n % 3 when 0 then 'order.created' when 1 then 'gift.opened' else 'gift.claimed' end,
       gen_random_uuid(), case when n % 3 > 0 then gen_random_uuid() end, '{"delivery": {"status": "opened"}}',
       to_timestamp(($4::bigint + ($5::bigint - $4::bigint) * n / $3::bigint) / 1000.0)
     from generate_series(1, $3::bigint) n`,
    [organizationId, environment, events, fromMs, toMs],
  );
}
