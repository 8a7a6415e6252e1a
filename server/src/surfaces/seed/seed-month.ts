import { simulatedIssuer } from '../../capabilities/issuers/simulated/simulated-issuer.ts';
import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { createIdGenerator, encodeId } from '../../platform/base/ids.ts';
import { isOnLoopback } from '../../platform/base/loopback.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { OneServer } from '../../platform/database/connections.ts';
import { inOneTransaction } from '../../platform/database/in-one-transaction.ts';
import { Agenda, createMovedClock } from './agenda.ts';
import { environments, type Month, type MonthDeps } from './month.ts';
import { DAY_MS, HOUR_MS } from './month-gifts.ts';
import * as orders from './month-orders.ts';
import * as organization from './month-organization.ts';
import { type Keys, MEMBER_EMAIL, openDemo } from './open-demo.ts';
import { countOrders } from './queries.ts';
import { ADMIN_EMAIL, lockSeeds } from './seed-demo.ts';
import { workOff, workOfMinute } from './work-off.ts';

/** It takes some seconds; after this time all of it is undone. */
const WITHIN_MS = 300_000;
export const MONTH_DAYS = orders.MONTH_MS / DAY_MS;

type SeedDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'links' | 'log' | 'meter' | 'publicUrl' | 'cipher'>;

interface MonthSeeding {
  actor: Actor;
  /** Called with the number of days that are done, of `MONTH_DAYS`. */
  onDay?: (days: number) => void;
}

type Story = orders.Story & {
  /** `wh_…`, of an endpoint whose attempts failed. */
  endpointId: string;
};

export interface SeededMonth {
  organization_id: string;
  admin_email: string;
  member_email: string;
  /** Full keys, shown only once. */
  keys: Keys;
  counts: Record<Environment, { orders: number; gifts: number }>;
  stories: Record<Environment, Story>;
}

/**
 * Fills the demo organization with a month of gifts in every state, up to now, in one transaction. The acts of the service
 * make it, with a clock that is moved on; the outbox has every message. Nothing is left for a worker to send.
 *
 * @throws OperatorError in production or beyond this machine, and as `openDemo`
 */
export function seedMonth(deps: SeedDeps, { actor, onDay = () => undefined }: MonthSeeding): Promise<SeededMonth> {
  requireDemoMachine(deps);
  const endMs = deps.clock.now();
  const startMs = endMs - orders.MONTH_MS;
  const clock = createMovedClock(startMs);
  const make = async (database: OneServer): Promise<SeededMonth> => {
    await lockSeeds(database.pool);
    const agenda = new Agenda(clock);
    const { keys, ...month } = await openDemo(depsOf(deps, database, clock), agenda, actor);
    const stories = await plan(month, startMs);
    await agenda.run(endMs, async (atMs) => {
      await workOff(month);
      onDay(Math.floor((atMs - startMs) / DAY_MS));
    });
    return {
      organization_id: encodeId('org', month.organizationId),
      admin_email: ADMIN_EMAIL,
      member_email: MEMBER_EMAIL,
      keys,
      counts: await countsOf(month),
      stories,
    };
  };
  return inOneTransaction(deps.database, make, WITHIN_MS);
}

function requireDemoMachine({ config }: Pick<Deps, 'config'>): void {
  if (config.isProduction || !isOnLoopback(config))
    throw new OperatorError(
      'A demo is for one machine: run it without NODE_ENV=production, and without a HOST or PUBLIC_URL of another machine.',
    );
  if (config.databaseUrls.length > 1 || config.homeDatabaseUrl !== undefined)
    throw new OperatorError('A demo needs one database: remove DATABASE_SHARDS and HOME_DATABASE_URL.');
}

/** No limit, issuer or screening service of these settings decides about the month. */
const depsOf = (deps: SeedDeps, database: OneServer, clock: Deps['clock']): MonthDeps => ({
  ...deps,
  clock,
  database,
  ids: createIdGenerator(clock),
  tracer: undefined,
  screening: undefined,
  config: { ...deps.config, serveEnvironments: [...environments], resendLimit: 3, valuePerRecipientPerDay: 0 },
  issuers: { simulated: simulatedIssuer, open: async () => simulatedIssuer, paidAtClaim: [] },
});

async function countsOf({ deps, organizationId }: Month): Promise<SeededMonth['counts']> {
  const rows = await countOrders(deps.database.pool, [organizationId]);
  const of = (environment: Environment) => {
    const row = rows.find((each) => each.environment === environment);
    return { orders: row?.orders ?? 0, gifts: row?.gifts ?? 0 };
  };
  return { live: of('live'), sandbox: of('sandbox') };
}

/** Plans everything; the stories are known once the agenda has run. */
async function plan(month: Month, startMs: number): Promise<Record<Environment, Story>> {
  const { agenda } = month;
  const endMs = startMs + orders.MONTH_MS;
  await organization.setUp(month, startMs);
  agenda.plan(startMs, () => organization.setExpiry(month, true));
  agenda.plan(startMs + 2 * DAY_MS, () => organization.setExpiry(month, false));
  for (let day = 1; day <= MONTH_DAYS; day += 1) agenda.plan(startMs + day * DAY_MS, () => workOfMinute(month));
  orders.planOrders(month, startMs);
  const stories = {} as Record<Environment, Story>;
  for (const environment of environments) {
    const story = {} as Story;
    stories[environment] = story;
    const at = (ms: number, act: () => Promise<unknown>) =>
      agenda.plan(ms, async () => {
        Object.assign(story, await act());
      });
    at(startMs + HOUR_MS, () => orders.orderExpiring(month, environment));
    at(startMs + 13 * DAY_MS, () => orders.orderScheduled(month, environment, 2 * DAY_MS, false));
    at(endMs - 6 * DAY_MS, () => orders.sendFile(month, environment));
    at(endMs - 3 * DAY_MS, () => organization.addWebhooks(month, environment));
    at(endMs - 2 * DAY_MS, () => orders.orderStory(month, environment));
    at(endMs - 30 * HOUR_MS, () => orders.orderHeld(month, environment));
    at(endMs - 7 * HOUR_MS, () => organization.askForGift(month, environment));
    at(endMs - 3 * HOUR_MS, () => orders.orderScheduled(month, environment, 5 * DAY_MS, environment === 'live'));
  }
  agenda.plan(endMs, () => orders.orderProcessing(month));
  return stories;
}
