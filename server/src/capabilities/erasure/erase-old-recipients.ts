import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import * as queries from './retention-queries.ts';

const ACTOR: Actor = { kind: 'operator', name: 'Bestow', address: 'job' };
const REASON = 'The name and address were kept as long as RETENTION_DAYS says.';
/** On each shard in one run; the rest follow a minute later. */
const MAX_GIFTS = 2_000;
/** In one commit. */
const SLICE = 200;

type RetentionDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

/**
 * Erases names and addresses of gifts that were canceled or fully spent RETENTION_DAYS ago. Looks once a day, and does
 * nothing if it is 0.
 */
export async function eraseOldRecipients(deps: RetentionDeps): Promise<void> {
  const { retentionDays } = deps.config;
  if (retentionDays === 0) return;
  const { shards } = deps.database;
  const nowMs = deps.clock.now();
  const progress = await queries.selectRetentionProgress(shards, []);
  if (progress.every(({ finished_at }) => finished_at !== null && finished_at.getTime() > nowMs - DAY_MS)) return;
  const before = new Date(nowMs - retentionDays * DAY_MS);
  const over = await queries.selectOver(shards, [before, MAX_GIFTS]);
  for (const [organizationId, gifts] of Map.groupBy(over, ({ organization_id }) => organization_id))
    for (const environment of ['live', 'sandbox'] as const) {
      const ids = gifts.filter((gift) => gift.environment === environment).map(({ gift_id }) => gift_id);
      for (let first = 0; first < ids.length; first += SLICE)
        await erase(deps, { organizationId, environment }, ids.slice(first, first + SLICE), before);
    }
  if (over.length < MAX_GIFTS) await queries.setRetentionProgress(shards, [new Date(nowMs)]);
}

const erase = (
  deps: RetentionDeps,
  { organizationId, environment }: { organizationId: string; environment: Environment },
  giftIds: readonly string[],
  before: Date,
) =>
  inOrganization(deps.database, organizationId, async (client) => {
    const now = new Date(deps.clock.now());
    const [erased] = await queries.eraseOver(client, [organizationId, environment, giftIds, before, REASON, now]);
    if (erased === undefined || erased.gifts === 0) return;
    await recordEvent(client, deps, ACTOR, {
      organizationId,
      action: 'recipient.erased',
      details: { gifts: erased.gifts, orders_processing: 0 },
    });
  });
