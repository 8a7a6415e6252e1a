import { readIssuersAgain } from '../../core/issuer/plan-reconciliation.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { OneServer } from '../../platform/database/connections.ts';
import { lookAtHistory } from '../../platform/database/look-at-history.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { acceptTime } from '../../platform/jobs/clocks.ts';
import { sealChains } from '../seals/seal-chains.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { bookMissedEvents } from '../topups/reconcile.ts';
import { findLostCards, type LostCards } from './find-lost-cards.ts';
import { moveOn } from './move-on.ts';
import * as queries from './queries.ts';
import { countWaitingCodes, forgetPositions } from './watch-history.ts';

type FinishDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'ids' | 'issuers' | 'log' | 'stripe' | 'tracer'>;

/** What was done, and what a person must look at. */
export interface FinishedRestore extends LostCards {
  /** The time to which the database was restored. */
  restored_to: string;
  /** Organizations whose feed and ledger were moved on by this run. */
  moved_on: number;
  /** Those that an earlier run for the same time had moved on. */
  moved_before: number;
  codes_set_aside: number;
  /** Events of the time after the restore, before this command: readers of the earlier feed may not see them. */
  events_since: number;
  /** Events of payments that Stripe has and the database had not booked; null without Stripe. */
  payment_events: number | null;
}

/**
 * Makes it safe to go on after a restore of the database to an earlier time: sets codes aside that may have been handed out
 * since, moves feeds and the names of ledgers on, reads from Stripe and from issuers what was lost, and finds what a person
 * must look at. Calling it again with the same time moves on only those organizations that an interrupted run left. After a
 * failover that lost commits, the service itself has moved organizations on.
 *
 * @param from the time of the backup, or that the recovery ended at; if undefined, that of the loss that the service noticed
 * @throws OperatorError if the time is not in the past, or if no time is given and no loss was noticed
 */
export async function finishRestore(deps: FinishDeps, from: Date | undefined, actor: Actor): Promise<FinishedRestore> {
  const restoredTo = from ?? (await findLoss(deps));
  if (restoredTo.getTime() > deps.clock.now()) throw new OperatorError('The time of the restore must be in the past.');
  await sealChains(deps, UNTIL_IT_IS_DONE);
  // The database may be of days ago, and a person knows why.
  await acceptTime(deps.database);
  const done = { moved_on: 0, moved_before: 0, codes_set_aside: 0, events_since: 0 };
  for (const database of deps.database.servers) {
    const loss = await findHandled(database, restoredTo);
    done.events_since += loss?.events_since ?? 0;
    for (const { organization_id } of await listOrganizations({ ...deps, database })) {
      const moved = loss ? undefined : await moveOn(deps, decodeId('org', organization_id) ?? '', restoredTo, actor);
      done[moved === undefined ? 'moved_before' : 'moved_on'] += 1;
      done.codes_set_aside += moved?.codes ?? 0;
      done.events_since += moved?.events ?? 0;
    }
    if (loss !== undefined) done.codes_set_aside += await countWaitingCodes(database);
  }
  const payment_events = deps.stripe === undefined ? null : await bookMissedEvents(deps);
  const { cards, issuers_silent } = await findLostCards(deps, restoredTo);
  await readIssuersAgain(deps, restoredTo);
  await closeLosses(deps, restoredTo);
  return { restored_to: restoredTo.toISOString(), ...done, payment_events, cards, issuers_silent };
}

/** The earliest of the losses that the service noticed. */
export async function findLoss({ database }: Pick<FinishDeps, 'database'>): Promise<Date> {
  const losses = await queries.selectLosses(database.shards, []);
  const [earliest] = losses.map(({ kept_until }) => kept_until).sort((one, other) => one.getTime() - other.getTime());
  if (earliest === undefined)
    throw new OperatorError(
      'Say to which time the database was restored, by --from: no loss was noticed that needs it.',
    );
  return earliest;
}

/** The loss after which the service moved on what this restore would. One that was handled before is in the backup. */
const findHandled = async ({ shards }: OneServer, restoredTo: Date): Promise<queries.LostHistory | undefined> =>
  (await queries.selectLosses(shards, [])).find(
    ({ kept_until, moved_on_at }) => moved_on_at !== null && kept_until <= restoredTo && restoredTo < moved_on_at,
  );

/** The service does not notice again what a person has finished. */
async function closeLosses({ config, clock, database }: FinishDeps, restoredTo: Date): Promise<void> {
  const now = new Date(clock.now());
  for (const { pool } of database.servers) {
    const client = await pool.connect();
    const standing = await lookAtHistory(client).finally(() => client.release());
    if (standing?.timeline == null || standing.bytes === null) continue;
    const { system, timeline, begins_at, bytes } = standing;
    const beginsAt = begins_at ?? bytes;
    await queries.noteLoss(pool, [system, timeline, beginsAt, restoredTo, now, false]);
    await queries.noteMovedOn(pool, [system, timeline, beginsAt, now, 0]);
  }
  await queries.finishLosses(database.shards, [now]);
  await forgetPositions(config.historyFile);
}
