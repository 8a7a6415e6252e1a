import { insertAuditEvents } from '../../platform/audit/statement-parts.ts';
import { selectCaller } from '../../platform/authentication/caller.ts';
import { type Queryable, statementOfSeveral } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { insertCompletionJobs, insertMessageJobs } from '../../platform/jobs/insert-jobs.ts';
import { insertEntries, setBalances } from '../balances/statement-parts.ts';
import { addSpending } from '../caps/statement-parts.ts';
import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';
import { factsOfSteered, gifts, insertGifts, insertMessages, returningGift } from '../gifts/place/statement-parts.ts';
import { categoryWithoutIssuer } from '../issuer/without-issuer.ts';
import { capsOnRecipients, grantRefusal, grantTerms, holderOf, needsApproval, windowStart } from './grant-queries.ts';
import { activeBuyer, attributedMember, expiresAt, salted, statesOfMember } from './order-expressions.ts';
import type { PlacementRow } from './placement.ts';
import type { OrderRecord } from './prepare-order.ts';

const orderColumns = `n smallint, organization_id uuid, environment environment, key_hash bytea,
      client_address text, placed_by json, key_lock bigint,
      idempotency_key text, fingerprint bytea, order_id uuid, entry_id uuid, amount_cents integer,
      categories text[], may_be_placed boolean, needs_issuer boolean, created_at timestamptz, completes_at timestamptz, pending_gifts jsonb,
      recipients json, addresses text[], traceparent text, external_id text, metadata jsonb`;

/** As the snapshot has it. */
const lastId = `(select b.last_id from balances b
          where b.organization_id = k.organization_id and b.environment = k.environment)`;

/** Whose caps count for an order `p`, beside those of the organization and the key. */
const holders = { agent: 'p.grant_id', member: 'p.sender_member_id', team: 'p.sender_team_id' };

/**
 * Places a group: any number of orders of any organizations, in one statement and one commit. Steps: check the API keys,
 * look for the idempotency keys, lock each balance once, debit the orders of an organization one after another, append.
 * The outcome at the end names each step.
 *
 * PostgreSQL takes the snapshot before the locks. `for update` re-reads the balance, but an order of the same key that was
 * committed in between stays invisible. So the insert says `on conflict do nothing`; debit, entries and gifts join its
 * returned rows; and an order that is neither earlier nor placed must run again. The same holds for two orders with one
 * external id, in one group or in two.
 *
 * A cap's counter is read from the snapshot, so an order under a cap is decided only if no order was committed since.
 *
 * `covered` is the running sum that decides, over orders that the balance could pay alone; an order that only the sum does
 * not cover runs again, after those before it. The advisory lock per key only distinguishes `in_progress` from `locked`;
 * the balance's lock alone protects the money.
 */
const text = `with request as materialized (
    select r.*, pg_try_advisory_xact_lock(r.key_lock) as key_is_ours
    from json_to_recordset($1) as r (${orderColumns})
  ), caller as materialized (
    select r.organization_id, r.environment, r.key_hash, r.client_address, c.*
    from (
      -- An order that an admin approved needs the grant, not the token that asked, which may have ended.
      select organization_id, environment, key_hash, client_address,
        max(created_at) filter (where placed_by ->> 'claim_id' is null) as at
      from request
      group by organization_id, environment, key_hash, client_address
    ) r
    cross join lateral (
      ${selectCaller({
        organizationId: 'r.organization_id',
        environment: 'r.environment',
        key: { hash: `nullif(r.key_hash, '')`, address: `nullif(r.client_address, '')::inet`, at: 'r.at' },
        needs: 'order',
        columns: `${attributedMember('r.organization_id')}, coalesce(k.first_key_id, k.key_id) as first_key_id,
          o.unclaimed_after_days, o.gifts_held_at is not null as is_held, ${grantTerms}`,
        states: statesOfMember('r.organization_id'),
      })}
    ) c
  ), known as materialized (
    -- Subqueries per order: for a join, PostgreSQL expects a hundred orders and scans every one of them.
    select r.*, c.key_id, c.organization_name, c.permissions, c.grant_id, c.own_grant_id, c.first_key_id, c.unclaimed_after_days,
      c.is_held,
      case when c.key_id is null and r.placed_by is null then 'invalid' else coalesce(c.caller_state, 'invalid') end as caller_state,
      case when r.placed_by is null then c.member_id else ${activeBuyer('r.organization_id', 'r.placed_by')} end as member_id,
      s.member_id as sender_member_id, s.team_id as sender_team_id,
      e.order_id as earlier_order_id, e.has_same_body, e.completes_at is not null as is_processing,
      e.external_id as earlier_external_id, e.metadata as earlier_metadata,
      -- Not exists(): PostgreSQL would plan to scan all orders for it.
      case when r.external_id is not null then (
        select o.order_id from orders o where o.organization_id = r.organization_id and o.environment = r.environment
          and o.external_id = r.external_id limit 1
      ) end as taken_by,
      ${grantRefusal({
        caller: 'c',
        organizationId: 'r.organization_id',
        environment: 'r.environment',
        categories: 'r.categories',
        addresses: 'r.addresses',
        sender: 's',
      })} as grant_refusal,
      ${needsApproval('c', 'r.organization_id', 'r')} as needs_approval,
      case when r.needs_issuer then ${categoryWithoutIssuer('r.organization_id', 'r.categories')} end as without_issuer,
      (select min(c.ordinality)::integer - 1 from unnest(r.categories) with ordinality as c (category_id, ordinality)
       where not exists (select from categories k where k.category_id = c.category_id and k.retired_at is null)) as unknown_category_position
    from request r
    left join caller c using (organization_id, environment, key_hash, client_address)
    left join lateral (
      select m.member_id, m.team_id from members m
      where m.organization_id = r.organization_id and m.member_id = (r.placed_by ->> 'sender_id')::uuid limit 1
    ) s on true
    left join lateral (
      select o.order_id, o.completes_at, o.external_id, o.metadata,
        o.fingerprint in (r.fingerprint, ${salted('o', 'r')}, '${ERASED_FINGERPRINT}')
          and (c.own_grant_id is null or o.grant_id is not distinct from c.own_grant_id) as has_same_body
      from orders o
      where o.organization_id = r.organization_id and o.environment = r.environment and o.idempotency_key = r.idempotency_key limit 1
    ) e on true
  ), payable as materialized (
    select n, organization_id, environment, order_id, amount_cents, first_key_id, grant_id, sender_member_id, sender_team_id,
      recipients, created_at
    from known
    where caller_state = 'admitted' and key_is_ours and may_be_placed and earlier_order_id is null and taken_by is null
      and not is_held and unknown_category_position is null and grant_refusal is null and needs_approval is not true
      and member_id is not null and without_issuer is null
  ), balance as materialized (
    select b.organization_id, b.environment, b.last_id, b.is_capped,
      -- What a bank took back is paid first.
      case when b.owed_cents > 0 then 0 else b.balance_cents end as balance_cents
    from balances b
    where (b.organization_id, b.environment) in (select organization_id, environment from payable)
    for update of b skip locked
  ), cap as materialized (
    select p.n, p.organization_id, p.environment, p.amount_cents <= b.balance_cents as is_payable, l.*,
      l.cap_cents - coalesce(s.spent_cents, 0) as room_cents
    from payable p join balance b using (organization_id, environment)
    cross join lateral (
      select ${holderOf('c.holder_id', { organization: 'p.organization_id', ...holders })} as of,
        c.holder_id::text as holder, c.period, ${windowStart('c.period', 'p.created_at')} as window_started_at, c.cap_cents,
        p.amount_cents
      from spending_caps c
      where c.organization_id = p.organization_id and c.environment = p.environment
        and c.holder_id in (p.organization_id, p.first_key_id, p.sender_member_id, p.sender_team_id)
        and c.period <> 'recipient'
      union all
      select r.of, r.holder, 'day', date_trunc('day', p.created_at, 'UTC'), r.cap_cents, r.amount_cents
      from (${capsOnRecipients('p.recipients', {
        organizationId: 'p.organization_id',
        environment: 'p.environment',
        holders,
      })}) r
    ) l
    -- A subquery: for a join, PostgreSQL expects hundreds of caps and scans every counter.
    left join lateral (
      select spent_cents from spending s
      where s.organization_id = p.organization_id and s.environment = p.environment
        and s.holder = l.holder and s.period = l.period and s.window_started_at >= l.window_started_at
      limit 1
    ) s on true
    where b.is_capped or p.recipients is not null
  ), limited as materialized (
    select n, bool_and(amount_cents <= room_cents) as fits, (
      array_agg(json_build_object('of', of, 'period', period, 'cap_cents', cap_cents,
        'window_started_at', window_started_at) order by period desc) filter (where amount_cents > room_cents)
    )[1] as exceeded
    from cap group by n
  ), crowded as materialized (
    select n, bool_or(sum_cents > room_cents) as is_crowded
    from (
      select cap.n, cap.room_cents, sum(cap.amount_cents)
        over (partition by cap.organization_id, cap.environment, cap.holder, cap.period order by cap.n) as sum_cents
      from cap join limited l using (n) where cap.is_payable and l.fits
    ) running group by n
  ), covered as materialized (
    select p.n, b.balance_cents, b.last_id, b.is_capped or p.recipients is not null as is_limited, l.fits, l.exceeded, w.is_crowded,
      sum(p.amount_cents) filter (where p.amount_cents <= b.balance_cents and l.fits is not false)
        over (partition by p.organization_id, p.environment order by p.n) as sum_cents
    from payable p join balance b using (organization_id, environment)
    left join limited l using (n) left join crowded w using (n)
  ), placed as (
    insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
      grant_id, member_id, sender_member_id, created_at, completes_at, external_id, metadata, pending_gifts)
    select k.organization_id, k.environment, k.order_id, k.idempotency_key, ${salted('k', 'k')}, k.amount_cents, k.key_id,
      k.grant_id, k.member_id, k.sender_member_id, k.created_at, k.completes_at, k.external_id, k.metadata, (
        select jsonb_agg(jsonb_build_object('sender_name', k.organization_name, 'expires_at', ${expiresAt('k', `coalesce((g ->> 'scheduled_for')::timestamptz, k.created_at)`)}) || jsonb_strip_nulls(g))
        from jsonb_array_elements(k.pending_gifts) g
      )
    from known k join covered c on c.n = k.n
    where k.amount_cents <= c.balance_cents and c.sum_cents <= c.balance_cents and c.last_id < k.order_id
      and (not c.is_limited or c.fits is not false and c.is_crowded is not true and c.last_id = ${lastId})
    on conflict do nothing
    returning order_id
  ), paid as materialized (
    select k.*, c.balance_cents - sum(k.amount_cents)
      over (partition by k.organization_id, k.environment order by k.n) as balance_after_cents
    from placed p join known k on k.order_id = p.order_id join covered c on c.n = k.n
  ), debit as (
    ${setBalances(
      `select distinct on (organization_id, environment) organization_id, environment, balance_after_cents, entry_id
      from paid order by organization_id, environment, n desc`,
    )}
  ), entry as (
    ${insertEntries({
      refersTo: 'order_id',
      source: `select organization_id, environment, entry_id, 'order', -amount_cents, balance_after_cents, order_id, created_at
    from paid`,
    })}
  ), audited as (
    ${insertAuditEvents(
      `select organization_id, (placed_by ->> 'event_id')::uuid, environment, 'order.placed', 'member', member_id,
      placed_by ->> 'name', placed_by ->> 'address', placed_by ->> 'target',
      jsonb_build_object('gifts', cardinality(categories), 'amount_cents', amount_cents), created_at
    from paid where placed_by is not null`,
    )}
  ), spent as (
    ${addSpending(
      `select organization_id, environment, holder, cap.period, max(window_started_at), sum(cap.amount_cents)
    from cap join paid using (n, organization_id, environment)
    where cap.period <> 'order'
    group by organization_id, environment, holder, cap.period`,
    )}
    returning 1
  ), gift as (
    ${insertGifts(
      `sender_member_id, sender_name, expires_at, ${gifts.names}`,
      `select p.organization_id, p.environment, p.order_id, p.grant_id, p.created_at, p.sender_member_id, coalesce(g.sender_name, p.organization_name),
      ${expiresAt('p', 'coalesce(g.scheduled_for, p.created_at)')}, ${gifts.ofGift}
    from json_to_recordset($2) as g (n smallint, ${gifts.columns})
    join paid p on p.n = g.n`,
    )}
    ${returningGift}
  ), delivery as (
    ${insertMessages} and is_waiting is null
  ), message as (
    ${insertMessageJobs(`select g.organization_id, g.environment, g.gift_id, g.delivery_id, g.method as channel, p.traceparent
      from gift g join paid p on p.order_id = g.order_id where g.is_waiting is null`)}
  ), completion as (
    ${insertCompletionJobs(`select organization_id, environment, order_id, completes_at - created_at as delay, traceparent
      from paid where completes_at is not null`)}
  ), ${appendEvents(
    `select organization_id, environment, 'order.created' as type, order_id, null::uuid as gift_id,
        case when completes_at is null then '{"status": "processed"}' else '{"status": "processing"}' end::jsonb as data,
        created_at, n * 1000000::bigint as position
      from paid
      union all
      ${factsOfSteered('gift join (select order_id, n from paid) p using (order_id)', 'g.created_at', 'g.n * 1000000::bigint')}`,
    ['spent'],
  )}
  select outcome.n, outcome.caller_state, outcome.key_id, outcome.organization_name, outcome.permissions,
    outcome.own_grant_id is null as reaches_all,
    outcome.unknown_category_position, outcome.grant_refusal, outcome.without_issuer, outcome.last_id, outcome.outcome, outcome.cap,
    case when outcome.taken_by is not null then (
      select o.order_id from orders o
      where o.organization_id = outcome.organization_id and o.environment = outcome.environment
        and o.order_id = outcome.taken_by
        and (outcome.own_grant_id is null or o.grant_id = outcome.own_grant_id)
    ) end as taken_by,
    case when outcome.outcome = 'replayed' then json_build_object(
      'order_id', outcome.earlier_order_id, 'is_processing', outcome.is_processing,
      'external_id', outcome.earlier_external_id, 'metadata', outcome.earlier_metadata, 'gifts', (
        select coalesce(json_agg(g order by g.position), '[]') from gifts g
        where g.organization_id = outcome.organization_id and g.environment = outcome.environment
          and g.order_id = outcome.earlier_order_id
      )) end as earlier
  from (
    select k.n, k.caller_state, k.key_id, k.organization_name, k.permissions, k.organization_id, k.environment, k.earlier_order_id,
      k.is_processing, k.earlier_external_id, k.earlier_metadata, k.unknown_category_position, k.grant_refusal, k.without_issuer, c.last_id,
      c.exceeded as cap, k.taken_by, k.own_grant_id,
      case
        -- The same order, committed before its connection was lost: placed, even if the key was revoked since.
        when p.n is not null or k.earlier_order_id = k.order_id then 'placed'
        when k.caller_state <> 'admitted' then 'key_refused'
        when k.earlier_order_id is not null then case when k.has_same_body then 'replayed' else 'key_reused' end
        when not k.key_is_ours then 'in_progress'
        when k.taken_by is not null then 'external_id_taken'
        when k.is_held then 'held'
        when k.unknown_category_position is not null then 'unknown_category'
        when k.grant_refusal is not null then 'not_granted'
        when k.needs_approval then 'needs_approval'
        when not k.may_be_placed then 'refused'
        when k.member_id is null then 'not_configured'
        when k.without_issuer is not null then 'without_issuer'
        when c.n is null then case when ${lastId} is null then 'insufficient_balance' else 'locked' end
        -- If an order was committed since the snapshot, it may be this key's order, or have used up the cap.
        when not c.fits and c.last_id = ${lastId} then 'over_cap'
        when k.amount_cents > c.balance_cents and c.last_id = ${lastId} then 'insufficient_balance'
        when k.amount_cents <= c.balance_cents and c.last_id >= k.order_id then 'stale_ids'
        else 'run_again'
      end as outcome
    from known k
    left join covered c on c.n = k.n
    left join paid p on p.n = k.n
  ) outcome
  order by outcome.n`;

const place = statementOfSeveral<[orders: string, gifts: string], PlacementRow>('orders.place_any', text);

/** Places a group of any orders of one shard. @returns a row for each, in the same order */
export function placeAnyOrders(database: Queryable, orders: readonly OrderRecord[]): Promise<PlacementRow[]> {
  const rows = JSON.stringify(orders.map((order, n) => ({ n, ...order, gifts: undefined })));
  const ofOrders = JSON.stringify(orders.flatMap((order, n) => order.gifts.map((gift) => ({ n, ...gift }))));
  return place(
    database,
    [rows, ofOrders],
    orders.map(({ organization_id }) => organization_id),
  );
}
