import { insertAuditEvents } from '../../platform/audit/statement-parts.ts';
import { selectCaller } from '../../platform/authentication/caller.ts';
import { insertCompletionJobs } from '../../platform/jobs/insert-jobs.ts';
import { needsApproval } from '../approvals/statement-parts.ts';
import { addSpending } from '../caps/statement-parts.ts';
import { factsOfSteered, gifts } from '../gifts/place/statement-parts.ts';
import { categoryWithoutIssuer } from '../issuer/without-issuer.ts';
import { capsOnRecipients, grantRefusal, grantTerms, holderOf, windowStart } from './grant-queries.ts';
import { activeBuyer, attributedMember, expiresAt, statesOfMember } from './order-expressions.ts';
import { placementOf, presented, takenBy } from './placement-queries.ts';

/** Whose caps count for an order `p`, beside those of the organization and the key. */
const holders = { agent: 'p.grant_id', member: 'p.sender_member_id', team: 'p.sender_team_id' };

const caller = selectCaller({
  ...presented,
  needs: 'order',
  columns: `${attributedMember('r.organization_id')}, coalesce(k.first_key_id, k.key_id) as first_key_id,
          o.unclaimed_after_days, o.gifts_held_at, ${grantTerms}`,
  states: statesOfMember('r.organization_id'),
});

/** What is known of an order beside its caller. Without `offset`, PostgreSQL would look for each of these twice. */
const knownOfOrder = `left join lateral (
      select m.member_id, m.team_id from members m
      where m.organization_id = c.organization_id and m.member_id = (r.placed_by ->> 'sender_id')::uuid limit 1
    ) s on true
    cross join lateral (
      select case when c.key_id is null and r.placed_by is null then 'invalid' else coalesce(c.caller_state, 'invalid') end as state,
        case when r.placed_by is null then c.member_id else ${activeBuyer('c.organization_id', 'r.placed_by')} end as buyer_id,
        ${takenBy} as taken_by,
        ${grantRefusal({
          caller: 'c',
          organizationId: 'c.organization_id',
          environment: 'c.environment',
          categories: 'r.categories',
          addresses: 'r.addresses',
          sender: 's',
        })} as grant_refusal,
        case when r.needs_issuer then ${categoryWithoutIssuer('c.organization_id', 'r.categories')} end as without_issuer,
        (select min(w.ordinality)::integer - 1 from unnest(r.categories) with ordinality as w (category_id, ordinality)
         where not exists (select from categories k where k.category_id = w.category_id and k.retired_at is null)) as unknown_category_position
      offset 0
    ) d`;

/** A cap's counter is read from the snapshot, so an order under a cap is decided only if no order was committed since. */
const limits = `cap as materialized (
    select p.n, p.organization_id, p.environment, p.amount_cents <= b.balance_cents as is_payable, l.*,
      l.cap_cents - coalesce(s.spent_cents, 0) as room_cents
    from known p join balance b using (organization_id, environment)
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
    where p.decision is null and (b.is_capped or p.recipients is not null)
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
  ), `;

const writes = `audited as (
    ${insertAuditEvents(
      `select organization_id, (placed_by ->> 'event_id')::uuid, environment, 'order.placed', 'member', buyer_id,
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
  ), completion as (
    ${insertCompletionJobs(`select organization_id, environment, order_id, completes_at - created_at as delay, traceparent
      from paid where completes_at is not null`)}
  ), `;

/** Places a group of any orders of one shard: also those of agents and members, under caps, sent later, steered. */
export const placeAnyOrders = placementOf(
  'orders.place_any',
  {
    caller,
    orderColumns: `placed_by json, completes_at timestamptz, pending_gifts jsonb, recipients json, addresses text[]`,
    known: `r.placed_by, r.categories, r.completes_at, r.pending_gifts, r.recipients,
      s.member_id as sender_member_id, s.team_id as sender_team_id, d.*`,
    knownFrom: knownOfOrder,
    hasSameCaller: '(c.own_grant_id is null or o.grant_id is not distinct from c.own_grant_id)',
    ifNotAdmitted: `when d.state <> 'admitted' then 'key_refused'`,
    member: 'buyer_id',
    refusals: `when d.taken_by is not null then 'external_id_taken'
        when c.gifts_held_at is not null then 'held'
        when d.unknown_category_position is not null then 'unknown_category'
        when d.grant_refusal is not null then 'not_granted'
        when ${needsApproval('c', 'r')} then 'needs_approval'
        when r.is_refused then 'refused'
        when d.buyer_id is null then 'not_configured'
        when d.without_issuer is not null then 'without_issuer'`,
    limits,
    limited: 'b.is_capped or k.recipients is not null as is_limited, l.fits, l.exceeded, w.is_crowded',
    limitedFrom: 'left join limited l using (n) left join crowded w using (n)',
    mayFit: 'l.fits is not false',
    fits: 'not is_limited or fits is not false and is_crowded is not true and last_id = seen_last_id',
    ifNotFitting: `when not c.fits and c.last_id = c.seen_last_id then 'over_cap'`,
    placed: {
      names: 'grant_id, sender_member_id, completes_at, pending_gifts',
      values: `grant_id, sender_member_id, completes_at, (
        select jsonb_agg(jsonb_build_object('sender_name', c.organization_name, 'expires_at', ${expiresAt('c', `coalesce((g ->> 'scheduled_for')::timestamptz, c.created_at)`)}) || jsonb_strip_nulls(g))
        from jsonb_array_elements(c.pending_gifts) g
      )`,
    },
    writes,
    gifts: {
      columns: gifts.columns,
      names: `sender_member_id, ${gifts.names}`,
      values: `${expiresAt('p', 'coalesce(g.scheduled_for, p.created_at)')}, coalesce(g.sender_name, p.organization_name),
        p.sender_member_id, ${gifts.ofGift}`,
      grant: 'p.grant_id',
    },
    created: `case when completes_at is null then '{"status": "processed"}' else '{"status": "processing"}' end`,
    facts: factsOfSteered(
      'gift join (select order_id, n from paid) p using (order_id)',
      'g.created_at',
      'g.n * 1000000::bigint',
    ),
    locking: ['spent'],
    answer: `c.state as caller_state, c.permissions, c.own_grant_id is null as reaches_all, c.unknown_category_position, c.grant_refusal, c.without_issuer,
    c.exceeded as cap, case when c.taken_by is not null then (
      select o.order_id from orders o
      where o.organization_id = c.organization_id and o.environment = c.environment and o.order_id = c.taken_by
        and (c.own_grant_id is null or o.grant_id = c.own_grant_id)
    ) end as taken_by`,
  },
  (gift) => gift,
);
