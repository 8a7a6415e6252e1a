import type { Environment } from '../base/environment.ts';
import { batchedStatement } from '../database/batched-statement.ts';
import { statement } from '../database/statement.ts';
import type { GiftRow } from '../gifts/queries.ts';
import { keyHolds } from '../keys/key-holds.ts';
import { giftRecordColumns, giftRecordNames } from './gift-record.ts';

/** What became of each order of a batch; `n` is its place in the batch. */
export interface PlacementRow {
  n: number;
  outcome:
    | 'key_changed'
    | 'placed'
    | 'replayed'
    | 'key_reused'
    | 'in_progress'
    | 'unknown_category'
    | 'refused'
    | 'not_configured'
    | 'locked'
    | 'insufficient_balance'
    | 'stale_ids'
    | 'run_again';
  /** The order of an earlier request with this key. */
  earlier_order_id: string | null;
  /** Position of the first gift whose category cannot be sold. */
  unknown_category_position: number | null;
  /** With `stale_ids`: the id that the order's ids must exceed. */
  last_id: string | null;
  /** Whether there is an active member to attribute the order to. */
  is_configured: boolean;
}

const giftsDelivery = `organization_id, environment, gift_id, delivery_id, method, address, link_version,
      link_expires_at, delivery_state, created_at`;

/** The message about each gift that the service sends, from a query named `gift`. */
const insertDeliveries = `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address,
      link_version, link_expires_at, state, created_at)
    select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
      link_expires_at, delivery_state::text::delivery_progress, created_at
    from gift where delivery_id is not null`;

/**
 * Places a batch of orders, at most one of each organization and environment, in one statement and so one commit: look
 * whether the API key holds and for the idempotency key, lock the balance, debit, and append. Read it top to bottom; the
 * outcome at its end names each step.
 *
 * The statement's snapshot is taken before its locks, and a lock does not refresh it. `for update` re-reads the balance
 * itself, but an order of the same key that was committed in between stays invisible; so the insert says `on conflict do
 * nothing`, debit, entry and gifts join what it returned, and «neither earlier nor placed» means: run again.
 *
 * The advisory lock per key only tells «in progress» from «locked»; the money is safe by the balance's lock alone. It
 * ends with the transaction, so it cannot outlive a crash.
 */
export const placeOrders = statement<[orders: string, gifts: string], PlacementRow>(
  'orders.place',
  `with request as materialized (
    select r.*, pg_try_advisory_xact_lock(r.key_lock) as key_is_ours
    from json_to_recordset($1) as r (
      n smallint, organization_id uuid, environment environment, key_lock bigint, idempotency_key text,
      fingerprint bytea, order_id uuid, last_gift_id uuid, entry_id uuid, key_id uuid, organization_name text,
      amount_cents integer, categories text[], may_be_placed boolean, created_at timestamptz, completes_at timestamptz, pending_gifts jsonb)
  ), known as materialized (
    -- Looked up order by order: joined, PostgreSQL would read every organization and member there is, because it expects
    -- a hundred orders of the parameter.
    select r.*, e.order_id as earlier_order_id, e.has_same_body,
      -- The name too: it stands in gifts that name no sender, and what is remembered of a key may be weeks old.
      ${keyHolds({
        organizationId: 'r.organization_id',
        environment: 'r.environment',
        keyId: 'r.key_id',
        organizationName: 'r.organization_name',
      })} as key_holds,
      (select min(c.ordinality)::integer - 1 from unnest(r.categories) with ordinality as c (category_id, ordinality)
       where not exists (select from categories k where k.category_id = c.category_id and k.retired_at is null)) as unknown_category_position,
      coalesce((
        select contact.member_id from organizations o
        join members contact on contact.organization_id = o.organization_id
          and contact.member_id = o.billing_contact_member_id and contact.deactivated_at is null
        where o.organization_id = r.organization_id
      ), (
        select m.member_id from members m
        where m.organization_id = r.organization_id and m.role = 'admin' and m.deactivated_at is null
        order by m.created_at, m.member_id limit 1
      )) as member_id
    from request r
    left join lateral (
      select o.order_id, o.fingerprint = r.fingerprint as has_same_body from orders o
      where o.organization_id = r.organization_id and o.environment = r.environment and o.idempotency_key = r.idempotency_key limit 1
    ) e on true
  ), balance as materialized (
    select k.n, b.balance_cents, b.last_id
    from known k
    join balances b on b.organization_id = k.organization_id and b.environment = k.environment
    where k.key_holds and k.key_is_ours and k.may_be_placed and k.earlier_order_id is null and k.unknown_category_position is null
      and k.member_id is not null
    for update of b skip locked
  ), placed as (
    insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
      member_id, created_at, completes_at, pending_gifts)
    select organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
      member_id, created_at, completes_at, pending_gifts
    from known k join balance b on b.n = k.n
    where b.balance_cents >= k.amount_cents and b.last_id < k.order_id
    on conflict (organization_id, environment, idempotency_key) do nothing
    returning order_id
  ), paid as materialized (
    select k.*, b.balance_cents - k.amount_cents as balance_after_cents
    from placed p join known k on k.order_id = p.order_id join balance b on b.n = k.n
  ), debit as (
    update balances b set balance_cents = p.balance_after_cents, last_id = p.last_gift_id
    from paid p
    where b.organization_id = p.organization_id and b.environment = p.environment
  ), entry as (
    insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents,
      order_id, created_at)
    select organization_id, environment, entry_id, 'order', -amount_cents, balance_after_cents, order_id, created_at
    from paid
  ), gift as (
    insert into gifts (organization_id, environment, order_id, created_at, ${giftRecordNames})
    select p.organization_id, p.environment, p.order_id, p.created_at, ${prefixed('g', giftRecordNames)}
    from json_to_recordset($2) as g (n smallint, ${giftRecordColumns})
    join paid p on p.n = g.n
    returning ${giftsDelivery}
  ), delivery as (
    ${insertDeliveries}
  )
  select r.n, r.earlier_order_id, r.unknown_category_position, b.last_id,
    r.member_id is not null as is_configured,
    case
      -- Its own, where the connection was lost after the commit: whatever became of the key since, the order is placed.
      when r.earlier_order_id = r.order_id then 'replayed'
      when r.key_holds is not true then 'key_changed'
      when r.earlier_order_id is not null then case when r.has_same_body then 'replayed' else 'key_reused' end
      when not r.key_is_ours then 'in_progress'
      when r.unknown_category_position is not null then 'unknown_category'
      when not r.may_be_placed then 'refused'
      when r.member_id is null then 'not_configured'
      when b.n is null then case
        when (select x.last_id from balances x
          where x.organization_id = r.organization_id and x.environment = r.environment) is not null
        then 'locked' else 'insufficient_balance' end
      -- As it is now; and where an order was committed since the snapshot, that may have been the one of this key.
      when b.balance_cents < r.amount_cents then case
        when b.last_id = (select x.last_id from balances x
          where x.organization_id = r.organization_id and x.environment = r.environment)
        then 'insufficient_balance' else 'run_again' end
      when b.last_id >= r.order_id then 'stale_ids'
      when p.n is null then 'run_again'
      else 'placed'
    end as outcome
  from known r
  left join balance b on b.n = r.n
  left join paid p on p.n = r.n
  order by r.n`,
);

function prefixed(alias: string, names: string): string {
  return names
    .split(',')
    .map((name) => `${alias}.${name.trim()}`)
    .join(', ');
}

type Owner = [organizationId: string, environment: Environment];

/** An order's columns beside one of its gifts'; the gift's are null where none is created yet. */
export interface OrderGiftRow extends Omit<GiftRow, 'gift_id'> {
  order_id: string;
  is_processing: boolean;
  gift_id: string | null;
}

const orderGiftColumns = `o.order_id, o.completes_at is not null as is_processing, g.gift_id, g.amount_cents,
  g.category_id, g.method, g.address, g.delivery_state, g.recipient_name, g.sender_name, g.link_version,
  g.link_expires_at, g.opened_at, g.claimed_at`;

const giftsOfOrder = `left join gifts g on g.organization_id = o.organization_id and g.environment = o.environment
    and g.order_id = o.order_id`;

/** Order by order: the plan for any number of orders would join them with all gifts that there are. */
const giftsOfEachOrder = `left join lateral (
     select * from gifts g
     where g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
     limit 10
   ) g on true`;

export const selectOrder = batchedStatement<[...Owner, orderId: string], OrderGiftRow>({
  name: 'orders.select',
  types: ['uuid', 'environment', 'uuid'],
  text: ([
    organizationId,
    environment,
    orderId,
  ]) => `select ${orderGiftColumns}, g.position from orders o ${giftsOfOrder}
   where o.organization_id = ${organizationId} and o.environment = ${environment} and o.order_id = ${orderId}
   order by g.position`,
  order: 'position',
});

/** The order of this idempotency key, where it was placed with this body and the API key holds. */
export const selectReplay = batchedStatement<
  [...Owner, idempotencyKey: string, fingerprint: Buffer, keyId: string],
  OrderGiftRow
>({
  name: 'orders.select_replay',
  types: ['uuid', 'environment', 'text', 'bytea', 'uuid'],
  text: ([
    organizationId = '',
    environment = '',
    key,
    fingerprint,
    keyId = '',
  ]) => `select ${orderGiftColumns}, g.position
   from orders o ${giftsOfOrder}
   where o.organization_id = ${organizationId} and o.environment = ${environment} and o.idempotency_key = ${key}
     and o.fingerprint = ${fingerprint}
     and ${keyHolds({ organizationId: `${organizationId}`, environment: `${environment}`, keyId: `${keyId}` })}
   order by g.position`,
  order: 'position',
});

export const selectOrderExists = statement<[...Owner, orderId: string], { order_id: string }>(
  'orders.exists',
  'select order_id from orders where organization_id = $1 and environment = $2 and order_id = $3',
);

/** Orders before the one named, newest first, each with its gifts. */
export const selectOrdersDescending = statement<[...Owner, orderId: string, limit: number], OrderGiftRow>(
  'orders.list_descending',
  `select ${orderGiftColumns}
   from (
     select organization_id, environment, order_id, completes_at from orders
     where organization_id = $1 and environment = $2 and order_id < $3
     order by order_id desc limit $4
   ) o ${giftsOfEachOrder}
   order by o.order_id desc, g.position`,
);

/** Orders after the one named, oldest first, each with its gifts. */
export const selectOrdersAscending = statement<[...Owner, orderId: string, limit: number], OrderGiftRow>(
  'orders.list_ascending',
  `select ${orderGiftColumns}
   from (
     select organization_id, environment, order_id, completes_at from orders
     where organization_id = $1 and environment = $2 and order_id > $3
     order by order_id limit $4
   ) o ${giftsOfEachOrder}
   order by o.order_id, g.position`,
);

/** Waits for the balance's lock: whoever holds it is placing an order or resetting the sandbox. */
export const lockBalance = statement<Owner, { balance_cents: number }>(
  'orders.lock_balance',
  'select balance_cents from balances where organization_id = $1 and environment = $2 for update',
);

/** Creates the gifts that a processing order still waits for, and ends its processing; nothing where that was done. */
export const completeOrder = statement<[...Owner, orderId: string], { order_id: string }>(
  'orders.complete',
  `with due as (
    select organization_id, environment, order_id, created_at, pending_gifts from orders
    where organization_id = $1 and environment = $2 and order_id = $3 and pending_gifts is not null
    for update
  ), gift as (
    insert into gifts (organization_id, environment, order_id, created_at, ${giftRecordNames})
    select d.organization_id, d.environment, d.order_id, d.created_at, ${prefixed('g', giftRecordNames)}
    from due d, jsonb_to_recordset(d.pending_gifts) as g (${giftRecordColumns})
    returning ${giftsDelivery}
  ), delivery as (
    ${insertDeliveries}
  )
  update orders o set completes_at = null, pending_gifts = null
  from due d
  where o.organization_id = d.organization_id and o.environment = d.environment and o.order_id = d.order_id
    and o.organization_id = $1 and o.environment = $2
  returning o.order_id`,
);
