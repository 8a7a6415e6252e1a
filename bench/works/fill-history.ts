import type { Client } from 'pg';

/** Where `fillGifts` put its gifts. */
interface Filled {
  /** UUID. */
  organizationId: string;
  environment: 'live' | 'sandbox';
}

/** Gifts of each contact. */
const GIFTS_OF_CONTACT = 10;

/** What happened to orders and gifts, as the service would have written it. */
const insertEvents = `with fact as (
    select 'order.created' as type, order_id, null::uuid as gift_id, null::jsonb as data, created_at
    from orders where organization_id = $1 and environment = $2
    union all
    select f.type, g.order_id, g.gift_id, jsonb_build_object('delivery', jsonb_build_object('status', f.status)), f.at
    from gifts g cross join lateral (values
      ('gift.delivered', 'sent', case when g.delivery_state = 'delivered' then g.created_at end),
      ('gift.delivery_failed', 'failed', case when g.delivery_state = 'failed' then g.created_at end),
      ('gift.opened', 'opened', g.opened_at),
      ('gift.claimed', 'claimed', g.claimed_at)) as f (type, status, at)
    where g.organization_id = $1 and g.environment = $2 and f.at is not null
  ), counter as (
    insert into event_counters (organization_id, environment, last_sequence)
    select $1, $2, count(*) from fact
    on conflict (organization_id, environment) do update set last_sequence = event_counters.last_sequence + excluded.last_sequence
    returning last_sequence
  )
  insert into events (organization_id, environment, sequence, type, order_id, gift_id, data, created_at)
  select $1, $2, last_sequence - count(*) over () + row_number() over (order by created_at, order_id, gift_id nulls first),
    type, order_id, gift_id, data, created_at
  from fact, counter`;

/** A request for each order and each second gift, in the seven days that are kept. */
const insertRequests = `insert into request_log (organization_id, environment, request_id, created_at, method, path, status,
    error_code, key_id, client_address, duration_ms, body, body_bytes, answer, answer_bytes)
  select $1, $2, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || '000' || '8' || lpad(to_hex(n), 15, '0'))::uuid,
    at, case when n % 2 = 0 then 'GET' else 'POST' end, case when n % 2 = 0 then '/v1/gifts' else '/v1/orders' end,
    case when n % 50 = 0 then 422 else 200 end, case when n % 50 = 0 then 'parameter_invalid' end, key_id, '192.0.2.1', 4,
    case when n % 2 = 1 then '{"gifts":[]}' end, case when n % 2 = 1 then 12 end, '{}', 2
  from (select n, now() - interval '6 days' + n * interval '5 days' / total as at
      from (select count(*) as total from orders where organization_id = $1 and environment = $2) t, generate_series(1, total) n) r,
    (select key_id from api_keys where organization_id = $1 order by key_id limit 1) k`;

/** Each tenth recipient by email is a contact; the triggers add their words. */
const insertContacts = `insert into contacts (organization_id, environment, contact_id, method, address, name, tags, birthday,
    created_at, changed_at)
  select $1, $2, gift_id, 'email', address, coalesce(recipient_name, 'Ada'), array['team-' || n % 20], '12-' || lpad((1 + n % 28)::text, 2, '0'),
    created_at, created_at
  from (
    select gift_id, address, recipient_name, created_at, row_number() over (order by gift_id) as n
    from (select distinct on (lower(address)) * from gifts where organization_id = $1 and environment = $2 and method = 'email') g
  ) one
  where n % (${GIFTS_OF_CONTACT} * 6 / 10) = 0`;

const ROWS_OF_BATCH = 10_000;

/** The first 2 of 5 gifts came from files. */
const insertBatches = `with placed as (
    select order_id, position, amount_cents, created_at, row_number() over (order by gift_id) - 1 as n
    from gifts where organization_id = $1 and environment = $2
    order by gift_id
    limit (select count(*) * 2 / 5 from gifts where organization_id = $1 and environment = $2)
  ), batch as (
    insert into batches (organization_id, environment, batch_id, form_id, name, state, row_count, amount_cents, placed_count,
      member_id, client_address, created_at, changed_at, started_at, ended_at)
    select $1, $2, (array_agg(order_id order by n))[1], gen_random_uuid(), 'people-' || n / ${ROWS_OF_BATCH} || '.csv', 'ended',
      count(*), sum(amount_cents), count(*), (select member_id from members where organization_id = $1 order by member_id limit 1),
      '192.0.2.1', min(created_at), max(created_at), min(created_at), max(created_at)
    from placed group by n / ${ROWS_OF_BATCH}
  )
  insert into batch_rows (organization_id, environment, batch_id, row_number, amount_cents, order_id, position)
  select $1, $2, first_value(order_id) over (partition by n / ${ROWS_OF_BATCH} order by n), 1 + n % ${ROWS_OF_BATCH},
    amount_cents, order_id, position
  from placed`;

/** Adds what grows with the gifts of an environment: events, requests, contacts and files of gifts. */
export async function fillHistory(client: Client, { organizationId, environment }: Filled): Promise<void> {
  await client.query('begin');
  await client.query('set local synchronous_commit = off');
  for (const insert of [insertEvents, insertRequests, insertContacts])
    await client.query(insert, [organizationId, environment]);
  // The rows name their file before it is there.
  await client.query('set local session_replication_role = replica');
  await client.query(insertBatches, [organizationId, environment]);
  await client.query('commit');
}
