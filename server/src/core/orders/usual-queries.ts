import { isAdmitted } from '../../platform/authentication/caller.ts';
import { type Queryable, statementOfSeveral } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { insertMessageJobs } from '../../platform/jobs/insert-jobs.ts';
import { insertEntries, setBalances } from '../balances/statement-parts.ts';
import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';
import { insertGifts, insertMessages, usualGifts } from '../gifts/place/statement-parts.ts';
import { hasIssuerOfAll } from '../issuer/without-issuer.ts';
import { attributedMember, expiresAt, salted } from './order-expressions.ts';
import type { PlacementRow } from './placement.ts';
import type { GiftRecord, OrderRecord } from './prepare-order.ts';

/**
 * Places a group of usual orders in one statement and one commit: those by an API key that no agent has, under no cap, of
 * gifts that are sent at once. Its rules are those of `placeAnyOrders`, which explains them. An order that it cannot decide
 * is `unusual`, and `placeAnyOrders` decides it.
 */
const text = `with caller as materialized (
    -- Each key, with its organization if it opens that environment.
    select r.caller, r.organization_id, r.environment, r.created_at, r.link_expires_at, c.*
    from json_to_recordset($1) as r (caller smallint, organization_id uuid, environment environment, key_hash bytea,
      client_address text, created_at timestamptz, link_expires_at timestamptz)
    left join lateral (
      select k.key_id, o.name as organization_name, o.unclaimed_after_days, o.gifts_held_at, ${attributedMember('r.organization_id')},
        (select b.last_id from balances b
          where b.organization_id = r.organization_id and b.environment = r.environment) as seen_last_id
      from organizations o join api_keys k on k.organization_id = r.organization_id and k.hash = r.key_hash
      where o.organization_id = r.organization_id and ${isAdmitted({
        organizationId: 'r.organization_id',
        environment: 'r.environment',
        key: { hash: 'r.key_hash', address: `nullif(r.client_address, '')::inet`, at: 'r.created_at' },
      })}
      limit 1
    ) c on true
  ), known as materialized (
    -- The orders, with the one that was placed before with the same idempotency key.
    select r.n, r.idempotency_key, r.fingerprint, r.order_id, r.entry_id, r.amount_cents, r.external_id, r.metadata,
      r.traceparent, c.*, e.*, pg_try_advisory_xact_lock(r.key_lock) as key_is_ours,
      r.is_refused is null and c.member_id is not null and c.gifts_held_at is null
        and r.categories <@ array(select category_id from categories where retired_at is null)
        and (r.needs_issuer is null or ${hasIssuerOfAll('c.organization_id')}) as is_usual
    from json_to_recordset($2) as r (n smallint, caller smallint, key_lock bigint, idempotency_key text, fingerprint bytea,
      order_id uuid, entry_id uuid, amount_cents integer, categories text[], is_refused boolean, needs_issuer boolean, external_id text,
      metadata jsonb, traceparent text)
    join caller c using (caller)
    left join lateral (
      select o.order_id as earlier_order_id, o.completes_at is not null as is_processing,
        o.external_id as earlier_external_id, o.metadata as earlier_metadata,
        o.fingerprint in (r.fingerprint, ${salted('o', 'r')}, '${ERASED_FINGERPRINT}') as has_same_body
      from orders o
      where o.organization_id = c.organization_id and o.environment = c.environment
        and o.idempotency_key = r.idempotency_key limit 1
    ) e on true
  ), balance as materialized (
    -- Locked, each once.
    select b.organization_id, b.environment, b.last_id, b.is_capped,
      -- What a bank took back is paid first.
      case when b.owed_cents > 0 then 0 else b.balance_cents end as balance_cents
    from balances b
    where (b.organization_id, b.environment) in (
      select organization_id, environment from known where is_usual and key_is_ours and earlier_order_id is null
    )
    for update of b skip locked
  ), covered as materialized (
    -- With the running sum of those that the balance could pay alone.
    select k.*, b.balance_cents, b.last_id, b.is_capped, sum(k.amount_cents)
      filter (where k.is_usual and k.key_is_ours and k.earlier_order_id is null and k.amount_cents <= b.balance_cents)
      over (partition by organization_id, environment order by k.n) as sum_cents
    from known k left join balance b using (organization_id, environment)
  ), placed as (
    insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
      member_id, created_at, external_id, metadata)
    select organization_id, environment, order_id, idempotency_key, ${salted('c', 'c')}, amount_cents, key_id,
      member_id, created_at, external_id, metadata
    from covered c
    where is_usual and key_is_ours and earlier_order_id is null and not is_capped
      and amount_cents <= balance_cents and sum_cents <= balance_cents and last_id < order_id
    on conflict do nothing
    returning order_id
  ), paid as materialized (
    -- Those that no other statement placed first.
    select c.*, balance_cents - sum(amount_cents) over line as balance_after_cents, lead(n) over line is null as is_last
    from placed join covered c using (order_id)
    window line as (partition by organization_id, environment order by n)
  ), debit as (
    ${setBalances('select organization_id, environment, balance_after_cents, entry_id from paid where is_last')}
  ), entry as (
    ${insertEntries({
      refersTo: 'order_id',
      source: `select organization_id, environment, entry_id, 'order', -amount_cents, balance_after_cents, order_id, created_at
    from paid`,
    })}
  ), gift as (
    ${insertGifts(
      `link_expires_at, expires_at, sender_name, delivery_state, ${usualGifts.names}`,
      `select p.organization_id, p.environment, p.order_id, null, p.created_at, p.link_expires_at, ${expiresAt('p')},
      coalesce(g.sender_name, p.organization_name), case when g.delivery_id is not null then 'pending'::delivery_state end,
      ${usualGifts.ofGift}
    from json_to_recordset($3) as g (n smallint, ${usualGifts.columns}) join paid p using (n)`,
    )}
    returning organization_id, environment, order_id, gift_id, delivery_id, method, address, link_version, link_expires_at,
      delivery_state, created_at
  ), delivery as (
    ${insertMessages}
  ), message as (
    ${insertMessageJobs(`select g.organization_id, g.environment, g.gift_id, g.delivery_id, g.method as channel, p.traceparent
      from gift g join paid p using (order_id)`)}
  ), ${appendEvents(`select organization_id, environment, 'order.created' as type, order_id, null::uuid as gift_id,
      '{"status": "processed"}'::jsonb as data, created_at, n as position from paid`)}
  select c.n, 'admitted' as caller_state, c.key_id, c.organization_name, null as permissions, true as reaches_all,
    c.last_id, o.outcome,
    case when o.outcome = 'replayed' then json_build_object('order_id', c.earlier_order_id, 'is_processing', c.is_processing,
      'external_id', c.earlier_external_id, 'metadata', c.earlier_metadata, 'gifts', (
        select coalesce(json_agg(g order by g.position), '[]') from gifts g
        where g.organization_id = c.organization_id and g.environment = c.environment and g.order_id = c.earlier_order_id
      )) end as earlier
  from covered c
  left join paid p using (n)
  cross join lateral (
    select case
      -- The same order, committed before its connection was lost: placed, even if the key was revoked since.
      when p.order_id is not null or c.earlier_order_id = c.order_id then 'placed'
      when c.key_id is not null and c.has_same_body then 'replayed'
      when not c.is_usual or c.earlier_order_id is not null or c.is_capped then 'unusual'
      when not c.key_is_ours then 'in_progress'
      -- Taken: this comes before what follows. Not exists(), as in the statement for all.
      when c.external_id is not null and (
        select o.order_id from orders o where o.organization_id = c.organization_id and o.environment = c.environment
          and o.external_id = c.external_id limit 1
      ) is not null then 'unusual'
      when c.balance_cents is null then case when c.seen_last_id is null then 'insufficient_balance' else 'locked' end
      -- If an order was committed since the snapshot, it may be this key's order.
      when c.amount_cents > c.balance_cents and c.last_id = c.seen_last_id then 'insufficient_balance'
      when c.amount_cents <= c.balance_cents and c.last_id >= c.order_id then 'stale_ids'
      when c.sum_cents <= c.balance_cents and c.external_id is not null then 'unusual'
      else 'run_again'
    end as outcome
  ) o
  order by c.n`;

const place = statementOfSeveral<[callers: string, orders: string, gifts: string], PlacementRow>('orders.place', text);

/** @param orders usual ones of one shard, prepared at the same moment @returns a row for each, in the same order */
export function placeUsualOrders(database: Queryable, orders: readonly OrderRecord[]): Promise<PlacementRow[]> {
  const callers = new Map<string, OrderRecord>();
  for (const order of orders) callers.set(callerOf(order), order);
  const numbers = new Map([...callers.keys()].map((caller, number) => [caller, number]));
  const values = [
    [...callers.values()].map(keyOf),
    orders.map((order, n) => valuesOf(order, n, numbers.get(callerOf(order)))),
    orders.flatMap(({ gifts }, n) => gifts.map((gift) => valuesOfGift(gift, n))),
  ];
  const [keys = '', rows = '', gifts = ''] = values.map((value) => JSON.stringify(value));
  return place(
    database,
    [keys, rows, gifts],
    orders.map(({ organization_id }) => organization_id),
  );
}

const callerOf = ({ key_hash, client_address }: OrderRecord) => `${key_hash} ${client_address}`;

const keyOf = (order: OrderRecord, caller: number) => ({
  caller,
  organization_id: order.organization_id,
  environment: order.environment,
  key_hash: order.key_hash,
  client_address: order.client_address,
  created_at: order.created_at,
  link_expires_at: order.gifts[0]?.link_expires_at,
});

const valuesOf = (order: OrderRecord, n: number, caller: number | undefined) => ({
  n,
  caller,
  key_lock: order.key_lock,
  idempotency_key: order.idempotency_key,
  fingerprint: order.fingerprint,
  order_id: order.order_id,
  entry_id: order.entry_id,
  amount_cents: order.amount_cents,
  categories: order.categories,
  is_refused: order.may_be_placed ? undefined : true,
  needs_issuer: order.needs_issuer,
  external_id: order.external_id,
  metadata: order.metadata,
  traceparent: order.traceparent,
});

const valuesOfGift = (gift: GiftRecord, n: number) => ({
  n,
  gift_id: gift.gift_id,
  position: gift.position,
  delivery_id: gift.delivery_id ?? undefined,
  amount_cents: gift.amount_cents,
  category_id: gift.category_id,
  method: gift.method,
  address: gift.address ?? undefined,
  recipient_name: gift.recipient_name ?? undefined,
  sender_name: gift.sender_name ?? undefined,
  message: gift.message ?? undefined,
  language: gift.language,
  external_id: gift.external_id,
  metadata: gift.metadata,
});
