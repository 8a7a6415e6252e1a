import type { Deps } from '../../core/deps.ts';
import { ERASED_ADDRESS } from '../../core/gifts/gift/address.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import * as queries from './queries.ts';

type ReminderDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

/** A statement finds the gifts of so much time, and a run makes so many statements; the next minute goes on. */
const STEP_MS = 600_000;
const MAX_STEPS = 300;
/** For one organization in one statement. */
const MAX_REMINDERS = 1_000;

/**
 * Adds reminders to the recipients of live gifts at the days that their organization chose, each at most once. Every gift is
 * looked at when its time comes; after an interruption, a run continues from the end of the last one.
 */
export async function sendReminders(deps: ReminderDeps): Promise<void> {
  const { shards } = deps.database;
  const nowMs = deps.clock.now();
  const rows = await queries.selectProgress(shards, []);
  const times = rows.flatMap(({ reminded_until }) => reminded_until?.getTime() ?? []);
  let fromMs = times.length < rows.length ? nowMs : Math.min(...times);
  if (times.length < rows.length) await queries.setProgress(shards, [new Date(nowMs)]);
  for (let step = 0; step < MAX_STEPS && fromMs < nowMs; step += 1) {
    const toMs = Math.min(fromMs + STEP_MS, nowMs);
    await addReminders(deps, await queries.selectDue(shards, [new Date(fromMs), new Date(toMs)]));
    // Afterwards: an interruption repeats a step, and each reminder is added once.
    await queries.setProgress(shards, [new Date(toMs)]);
    fromMs = toMs;
  }
}

async function addReminders(deps: ReminderDeps, due: readonly queries.DueRow[]): Promise<void> {
  const now = new Date(deps.clock.now());
  const linkExpiresAt = new Date(now.getTime() + deps.config.linkTtlMs);
  for (const [organizationId, gifts] of Map.groupBy(due, ({ organization_id }) => organization_id))
    for (let first = 0; first < gifts.length; first += MAX_REMINDERS) {
      const reminders = gifts
        .slice(first, first + MAX_REMINDERS)
        .map(({ gift_id, day }) => ({ gift_id, day, delivery_id: deps.ids.next() }));
      const added = [organizationId, JSON.stringify(reminders), linkExpiresAt, now, ERASED_ADDRESS] as const;
      await inOrganization(deps.database, organizationId, (client) => queries.insertReminders(client, [...added]));
    }
}
