import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';
import type { GiftRow } from '../gifts/queries.ts';
import { keyHolds } from '../keys/key-holds.ts';
import { giftRecordColumns, giftRecordNames } from './gift-record.ts';

/** The outcome for each order of a batch; `n` is its index in the batch. */
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
  earlier_order_id: string | null;
  /** Position of the first gift with an unknown or retired category. */
  unknown_category_position: number | null;
  /** For `stale_ids`: the id that the order's ids must exceed. */
  last_id: string | null;
  is_configured: boolean;
}

const giftsDelivery = `organization_id, environment, gift_id, delivery_id, method, address, link_version,
      link_expires_at, delivery_state, created_at`;

/** Inserts the message about each email or phone gift, from a query named `gift`. */
const insertDeliveries = `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address,
      link_version, link_expires_at, state, created_at)
    select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
      link_expires_at, delivery_state::text::delivery_progress, created_at
    from gift where delivery_id is not null`;

/**
 * Places a batch of orders, at most one per organization and environment, in one statement and one commit. Steps: check the
 * API key, look for the idempotency key, lock the balance, debit, append. The outcome at the end names each step.
 *
 * PostgreSQL takes the snapshot before the locks. `for update` re-reads the balance, but an order of the same key that was
 * committed in between stays invisible. So the insert says `on conflict do nothing`; debit, entry and gifts join its
 * returned rows; and an order that is neither earlier nor placed must run again.
 *
 * The advisory lock per key only distinguishes `in_progress` from `locked`; the balance's lock alone protects the money.
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
    -- Subqueries per order: for a join, PostgreSQL expects a hundred orders and scans every organization and member.
    select r.*, e.order_id as earlier_order_id, e.has_same_body,
      -- Also the name: gifts without a sender contain it, and a remembered key may be weeks old.
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
      -- The same order, committed before its connection was lost: placed, even if the key was revoked since.
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
      -- If an order was committed since the snapshot, it may be this key's order.
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

/** An order's columns with those of one gift, which are null if no gift exists yet. */
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

/** A lateral join per order: for a plain join, PostgreSQL would plan to scan all gifts. */
const giftsOfEachOrder = `left join lateral (
     select * from gifts g
     where g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
     limit 10
   ) g on true`;

export const selectOrder = statement<[...Owner, orderId: string], OrderGiftRow>(
  'orders.select',
  `select ${orderGiftColumns} from orders o ${giftsOfOrder}
   where o.organization_id = $1 and o.environment = $2 and o.order_id = $3
   order by g.position`,
);

/** Selects the order of this idempotency key, if its body is the same and the API key is valid. */
export const selectReplay = statement<
  [...Owner, idempotencyKey: string, fingerprint: Buffer, keyId: string],
  OrderGiftRow
>(
  'orders.select_replay',
  `select ${orderGiftColumns} from orders o ${giftsOfOrder}
   where o.organization_id = $1 and o.environment = $2 and o.idempotency_key = $3 and o.fingerprint = $4
     and ${keyHolds({ organizationId: '$1', environment: '$2', keyId: '$5' })}
   order by g.position`,
);

export const selectOrderExists = statement<[...Owner, orderId: string], { order_id: string }>(
  'orders.exists',
  'select order_id from orders where organization_id = $1 and environment = $2 and order_id = $3',
);

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

/** Waits for the balance's lock, which an order or a reset may hold. */
export const lockBalance = statement<Owner, { balance_cents: number }>(
  'orders.lock_balance',
  'select balance_cents from balances where organization_id = $1 and environment = $2 for update',
);

/** Creates the pending gifts of a processing order and ends its processing; does nothing if that was done. */
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
