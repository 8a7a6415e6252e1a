import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { acceptTime } from '../../platform/jobs/clocks.ts';
import { setCodesAside } from '../issuers/own-codes/set-codes-aside.ts';
import { readIssuersAgain } from '../issuers/reconcile-issuers.ts';
import { sealChains } from '../seals/seal-chains.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { bookMissedEvents } from '../topups/reconcile.ts';
import { findLostCards, type LostCards } from './find-lost-cards.ts';
import * as queries from './queries.ts';

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
  /** Events of payments that Stripe has and the database had not; null without Stripe. */
  payment_events: number | null;
}

const START = Date.UTC(2026, 0, 1);
/** More than one organization can have: feeds are moved on past what the lost time can have given out. */
const EVENTS_PER_SECOND = 10_000;

/**
 * Makes it safe to go on after a restore of the database to an earlier time: sets codes aside that may have been handed out
 * since, moves feeds and the names of ledgers on, reads from Stripe and from issuers what was lost, and finds what a person
 * must look at. Calling it again with the same time moves on only those organizations that an interrupted run left.
 *
 * @param restoredTo the time of the backup, or that the recovery ended at
 * @throws OperatorError if the time is not in the past
 */
export async function finishRestore(deps: FinishDeps, restoredTo: Date, actor: Actor): Promise<FinishedRestore> {
  if (restoredTo.getTime() > deps.clock.now()) throw new OperatorError('The time of the restore must be in the past.');
  await sealChains(deps, UNTIL_IT_IS_DONE);
  // The database may be of days ago, and a person knows why.
  await acceptTime(deps.database);
  const done = { moved_on: 0, moved_before: 0, codes_set_aside: 0, events_since: 0 };
  for (const { organization_id } of await listOrganizations(deps)) {
    const moved = await moveOn(deps, decodeId('org', organization_id) ?? '', restoredTo, actor);
    done[moved === undefined ? 'moved_before' : 'moved_on'] += 1;
    done.codes_set_aside += moved?.codes ?? 0;
    done.events_since += moved?.events ?? 0;
  }
  const payment_events = deps.stripe === undefined ? null : await bookMissedEvents(deps);
  const { cards, issuers_silent } = await findLostCards(deps, restoredTo);
  await readIssuersAgain(deps, restoredTo);
  return { restored_to: restoredTo.toISOString(), ...done, payment_events, cards, issuers_silent };
}

/** Moves one organization on, in one commit. @returns undefined if an earlier run did */
const moveOn = (deps: FinishDeps, organizationId: string, restoredTo: Date, actor: Actor) =>
  inOrganization(deps.database, organizationId, async (client) => {
    const now = new Date(deps.clock.now());
    await queries.lockOrganization(client, [organizationId]);
    if ((await queries.selectRestore(client, [organizationId, restoredTo])).length > 0) return undefined;
    const codes = await setCodesAside(client, organizationId, now);
    await recordEvent(client, deps, actor, {
      organizationId,
      action: 'database.restored',
      details: { restored_to: restoredTo.toISOString(), codes_set_aside: codes },
    });
    const nextAfter = Math.floor((now.getTime() - START) / 1_000) * EVENTS_PER_SECOND;
    let events = 0;
    for (const environment of ['live', 'sandbox'] as const) {
      const stream = [organizationId, environment] as const;
      const [moved] = await queries.moveOn(client, [...stream, restoredTo, now, nextAfter, deps.ids.next()]);
      events += moved?.events_since ?? 0;
      await queries.appendRestored(client, [
        ...stream,
        now,
        JSON.stringify({ restored_to: restoredTo.toISOString(), last_sequence: moved?.last_sequence ?? 0 }),
      ]);
    }
    return { codes, events };
  });
