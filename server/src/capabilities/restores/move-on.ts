import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { setCodesAside } from '../issuers/own-codes/set-codes-aside.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';

type MoveDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const START = Date.UTC(2026, 0, 1);
/** More than one organization can have: feeds are moved on past what the lost time can have given out. */
const EVENTS_PER_SECOND = 10_000;

/**
 * Moves one organization on, in one commit: sets its codes aside, and its feed and ledger go on with other numbers.
 *
 * @returns how many codes, and events of the time since; undefined if an earlier run did it
 */
export const moveOn = (deps: MoveDeps, organizationId: string, restoredTo: Date, actor: Actor) =>
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
