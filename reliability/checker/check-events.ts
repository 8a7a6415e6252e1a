import { selectFaulty } from './select-faulty.ts';
import type { TableCheck, Violation } from './violation.ts';

/** I11: the events of an environment have no hole, and say what the tables say. */
export const checkEvents: TableCheck = async ({ sql }) => {
  const violations: Violation[] = [];
  for (const statement of [HOLES, ORDERS, GIFTS, ORDER_OF_EVENTS, MESSAGES, ENTRIES, KEYS])
    violations.push(...(await selectFaulty(sql, 'I11', statement)));
  return violations;
};

const HOLES = `
  select format('Events %s to %s of %s %s are %s, and the counter is %s.', min(e.sequence), max(e.sequence),
    c.organization_id, c.environment, count(e.sequence), c.last_sequence) as text
  from event_counters c left join events e using (organization_id, environment)
  group by c.organization_id, c.environment, c.last_sequence
  having count(e.sequence) <> coalesce(max(e.sequence) - min(e.sequence) + 1, 0) or max(e.sequence) <> c.last_sequence
  union all
  select format('Events of %s %s have no counter.', organization_id, environment) from events e
  where not exists (select from event_counters c where c.organization_id = e.organization_id and c.environment = e.environment)`;

/** Counts of each type by its order or gift. */
const counted = (id: 'order_id' | 'gift_id') => `counted as (
    select organization_id, environment, ${id}, count(*) filter (where type = 'order.created') as created,
      count(*) filter (where type = 'order.processed') as processed,
      count(*) filter (where type = 'order.created' and data->>'status' = 'processing') as begun_processing,
      count(*) filter (where type = 'gift.opened') as opened, count(*) filter (where type = 'gift.claimed') as claimed,
      count(*) filter (where type = 'gift.delivered') as delivered,
      count(*) filter (where type = 'gift.delivery_failed') as failed,
      count(*) filter (where type = 'gift.redirected') as redirected,
      count(*) filter (where type = 'gift.canceled') as canceled, count(*) filter (where type = 'gift.expired') as expired,
      count(*) filter (where type = 'gift.thanked') as thanked,
      coalesce(sum((data->'purchase'->>'amount')::bigint) filter (where type = 'gift.spent'), 0) as spent_cents
    from events where ${id} is not null group by organization_id, environment, ${id}
  )`;

const ORDERS = `
  with ${counted('order_id')}
  select format('Order %s has %s order.created and %s order.processed; it completes %s.', order_id,
    coalesce(c.created, 0), coalesce(c.processed, 0), coalesce(o.completes_at::text, 'at once')) as text
  from orders o full join counted c using (organization_id, environment, order_id)
  where o.created_at is null or c.created is distinct from 1
    or c.processed <> case when o.completes_at is null then c.begun_processing else 0 end`;

const GIFTS = `
  with ${counted('gift_id')}
  select format('Gift %s (delivery %s, opened %s, claimed %s, spent %s, redirected %s, canceled %s) has the events %s.',
    gift_id, g.delivery_state, g.opened_at, g.claimed_at, g.spent_cents, g.redirect_count, g.canceled_at, c::text) as text
  from gifts g full join counted c using (organization_id, environment, gift_id)
  where g.created_at is null
    or coalesce(c.opened, 0) <> case when g.opened_at is null then 0 else 1 end
    or coalesce(c.claimed, 0) <> case when g.claimed_at is null then 0 else 1 end
    or coalesce(c.spent_cents, 0) <> g.spent_cents
    or coalesce(c.redirected, 0) <> g.redirect_count
    or coalesce(c.canceled + c.expired, 0) <> case when g.canceled_at is null then 0 else 1 end
    or coalesce(c.thanked, 0) <> case when g.thanked_at is null then 0 else 1 end
    or g.delivery_state = 'delivered' and coalesce(c.delivered, 0) = 0
    or g.delivery_state = 'failed' and g.opened_at is null and coalesce(c.failed, 0) = 0`;

const ORDER_OF_EVENTS = `
  select format('Event %s of %s %s, %s, comes after its %s.', later.sequence, later.organization_id, later.environment,
    later.type, e.type) as text
  from events e join events later using (organization_id, environment, order_id)
  where later.sequence > e.sequence and (later.type = 'order.created'
    or later.gift_id = e.gift_id and later.type = 'gift.opened' and e.type in ('gift.claimed', 'gift.spent')
    or later.gift_id = e.gift_id and later.type = 'gift.claimed' and e.type = 'gift.spent')`;

const MESSAGES = `
  select format('Gift %s was sent, and has no gift.sent.', g.gift_id) as text
  from gifts g join deliveries d using (organization_id, environment, gift_id, delivery_id)
  where d.state = 'sent' and not exists (
    select from events e where e.organization_id = g.organization_id and e.environment = g.environment
      and e.gift_id = g.gift_id and e.type = 'gift.sent')`;

const ENTRIES = `
  select format('%s %s has %s entries without orders, and %s events about them.', organization_id, environment,
    coalesce(l.count, 0), coalesce(e.count, 0)) as text
  from (select organization_id, environment, count(*), sum(amount_cents) from ledger_entries where order_id is null
      group by organization_id, environment) l
  full join (select organization_id, environment, count(*), sum((data->>'amount')::bigint) from events
      where type = 'balance.funded' group by organization_id, environment) e
    using (organization_id, environment)
  where l.count is distinct from e.count or l.sum is distinct from e.sum`;

/** Of live: a reset of a sandbox deletes its events and keeps its keys. */
const KEYS = `
  select format('%s has %s live keys, %s revoked, and the events of %s and %s.', organization_id, k.created, k.revoked,
    e.created, e.revoked) as text
  from (select organization_id, count(*) as created, count(revoked_at) as revoked from api_keys
      where environment = 'live' group by organization_id) k
  full join (select organization_id, count(*) filter (where type = 'key.created') as created,
        count(*) filter (where type = 'key.revoked') as revoked
      from events where environment = 'live' group by organization_id) e using (organization_id)
  where coalesce(k.created, 0) <> coalesce(e.created, 0) or coalesce(k.revoked, 0) <> coalesce(e.revoked, 0)`;
