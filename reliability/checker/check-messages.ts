import { decodeReference } from '../../server/src/platform/messaging/reference.ts';
import type { ReceivedMessage } from '../record/recorder.ts';
import { selectFaulty, violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, TableCheck, Violation } from './violation.ts';

/** I7: every live email or phone gift gets a message, with at most one duplicate for each crash. */
export const checkMessages: Check = async (context) => [
  ...(await checkOverdue(context)),
  ...(await selectFaulty(context.sql, 'I7', NEVER_ACCEPTED, [acceptingChannels(context)])),
  ...(await checkReceived(context)),
];

export const checkOverdue: TableCheck = ({ sql, nowMs }) =>
  selectFaulty(sql, 'I7', OVERDUE, [nowMs - OVERDUE_AFTER_MS]);

/** Another worker takes over within a minute. */
const OVERDUE_AFTER_MS = 60_000;

const OVERDUE = `
  select format('Delivery %s of gift %s has waited since %s: %s tries, %s.', delivery_id, gift_id, created_at, tries,
    coalesce(reason, 'no reason')) as text
  from deliveries where environment = 'live' and state = 'pending'
    and created_at < to_timestamp($1::double precision / 1000)`;

const acceptingChannels = ({ recorder }: CheckContext) =>
  [...recorder.expectedChannels].filter(([, accepted]) => accepted === 'all').map(([channel]) => channel);

/** Gifts without a pending or accepted message. */
const NEVER_ACCEPTED = `
  select format('Gift %s has no message by %s that was accepted: %s.', g.gift_id, g.method,
    coalesce(string_agg(concat_ws(' ', d.delivery_id, d.state, d.provider, d.reason), ', '), 'no delivery')) as text
  from gifts g
  left join deliveries d on d.organization_id = g.organization_id and d.environment = g.environment
    and d.gift_id = g.gift_id
  where g.environment = 'live' and g.method::text = any($1)
  group by g.organization_id, g.environment, g.gift_id
  having bool_or(d.state = 'pending' or d.sent_at is not null and d.provider <> 'outbox') is not true`;

/** A mail server may report a message late. */
const TOLD_LATE_MS = 5_000;

interface StoredDelivery {
  delivery_id: string;
  address: string;
  channel: 'email' | 'phone';
  is_accepted: boolean;
}

async function checkReceived({ sql, recorder }: CheckContext): Promise<Violation[]> {
  if (recorder.expectedChannels.size === 0) return [];
  const { rows } = await sql.query<StoredDelivery>(
    `select delivery_id, address, channel, sent_at is not null and provider <> 'outbox' as is_accepted
     from deliveries where environment = 'live'`,
  );
  const byDelivery = Map.groupBy(recorder.messages.filter(isAboutGift), deliveryOf);
  const stored = new Map(rows.map((row) => [row.delivery_id, row]));
  const missing = rows
    .filter(
      ({ delivery_id, channel, is_accepted }) =>
        is_accepted && recorder.expectedChannels.has(channel) && !byDelivery.has(delivery_id),
    )
    .map(({ delivery_id }) => `Delivery ${delivery_id} counts as accepted, and no message of it arrived.`);
  const wrong = [...byDelivery].flatMap(([deliveryId, messages]) => {
    const delivery = stored.get(deliveryId);
    if (delivery === undefined) return [`A message arrived for delivery ${deliveryId}, which does not exist.`];
    const copies = messages.length - 1;
    const timesMs = messages.map(({ atMs }) => atMs);
    // Only a crash between the first and the last copy can cause a duplicate.
    const crashes = recorder.crashesAtMs.filter(
      (atMs) => atMs >= Math.min(...timesMs) - TOLD_LATE_MS && atMs <= Math.max(...timesMs),
    ).length;
    const others = messages.filter(({ recipient }) => recipient !== delivery.address);
    return [
      ...(copies > crashes ? [`Delivery ${deliveryId} arrived ${copies + 1} times, after ${crashes} crashes.`] : []),
      ...(others.length > 0 ? [`Delivery ${deliveryId} went to another address.`] : []),
    ];
  });
  return violationsOf('I7', [...missing, ...wrong]);
}

const isAboutGift = ({ reference }: ReceivedMessage) =>
  reference !== undefined && decodeReference(reference) !== undefined;

const deliveryOf = ({ reference = '' }: ReceivedMessage) => decodeReference(reference)?.deliveryId ?? '';
