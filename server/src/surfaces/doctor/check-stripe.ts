import { STRIPE } from '../../capabilities/stripe/event-provider.ts';
import { openStripe, type StripeClient } from '../../capabilities/stripe/open-stripe.ts';
import { EVENT_TYPES } from '../../capabilities/topups/handle-stripe-event.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { messageOf } from './check-providers.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { countOpenTopups, selectArrivedEvents } from './stripe-queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Stripe sends most events within seconds. */
const ARRIVES_WITHIN_MS = 10 * MINUTE_MS;
const MOST_EVENTS = 100;
const PATH = '/hooks/stripe';

/** Checks what top-ups need of Stripe: the key, the webhook endpoint, that its events arrive, and that payments end. */
export async function checkStripe(
  { stripe, publicUrl }: Pick<Config, 'stripe' | 'publicUrl'>,
  database: Database,
  clock: Clock,
): Promise<Finding[]> {
  if (stripe === undefined) return [];
  const client = await openStripe(stripe);
  const now = clock.now();
  return [
    ...(await checkEvents(client, stripe.isLive, database, now)),
    await checkEndpoint(client, publicUrl),
    await checkTopups(database, now),
  ];
}

/** Compares the events of the last day, as Stripe lists them, with those that arrived. */
async function checkEvents(client: StripeClient, isLive: boolean, database: Database, now: number): Promise<Finding[]> {
  const created = { gte: Math.floor((now - DAY_MS) / 1_000), lte: Math.floor((now - ARRIVES_WITHIN_MS) / 1_000) };
  let ids: string[];
  try {
    const { data } = await client.events.list({ created, types: [...EVENT_TYPES], limit: MOST_EVENTS });
    ids = data.filter(({ livemode }) => livemode === isLive).map(({ id }) => id);
  } catch (error) {
    const advice = 'Correct STRIPE_SECRET_KEY, its permissions (docs/topups.md) or the network.';
    return [fault('Stripe', messageOf(error), advice)];
  }
  const [row] = await selectArrivedEvents(database.home, [STRIPE, ids]);
  const missing = ids.length - (row?.arrived ?? 0);
  const last = row?.latest_at == null ? 'none has arrived yet' : `the last one arrived ${row.latest_at.toISOString()}`;
  return [
    ok('Stripe', isLive ? 'signed in, live mode' : 'signed in, test mode: no one pays'),
    missing === 0
      ? ok('Stripe events', last)
      : fault(
          'Stripe events',
          `${missing} of ${ids.length} of the last day have not arrived; ${last}`,
          'Look at the deliveries of the webhook endpoint in Stripe. The daily look at Stripe’s events finds lost ones.',
        ),
  ];
}

async function checkEndpoint(client: StripeClient, publicUrl: string | undefined): Promise<Finding> {
  const check = 'Stripe webhook';
  if (publicUrl === undefined) return warning(check, 'PUBLIC_URL is not set', 'Set PUBLIC_URL: Stripe calls it.');
  const address = `${publicUrl.replace(/\/+$/, '')}${PATH}`;
  try {
    const { data } = await client.webhookEndpoints.list({ limit: 100 });
    const endpoint = data.find(({ url }) => url === address);
    if (endpoint === undefined) return fault(check, `no endpoint ${address}`, 'Add it in Stripe: see docs/topups.md.');
    if (endpoint.status !== 'enabled') return fault(check, `${address} is ${endpoint.status}`, 'Enable it in Stripe.');
    const { enabled_events: enabled } = endpoint;
    const missing = enabled.includes('*') ? [] : EVENT_TYPES.filter((type) => !enabled.includes(type));
    if (missing.length === 0) return ok(check, address);
    return fault(
      check,
      `${address} does not send ${missing.join(', ')}`,
      'Add these events to the endpoint in Stripe.',
    );
  } catch (error) {
    // A restricted key works without this permission.
    return ok(check, `not checked: ${messageOf(error)}`);
  }
}

async function checkTopups(database: Database, now: number): Promise<Finding> {
  const rows = await countOpenTopups(database.shards, [new Date(now - HOUR_MS)]);
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  const waiting = rows.reduce((sum, row) => sum + row.waiting, 0);
  const note = waiting === 0 ? '' : `, ${waiting} wait for a person`;
  if (late === 0) return ok('top-ups', `none overdue${note}`);
  const advice = 'Run: bestow topup list, and check the log of bestow worker.';
  return fault('top-ups', `${late} under way for more than an hour${note}`, advice);
}
