import { hostname } from 'node:os';
import type { Deps } from '../../core/deps.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { type ConnectionTarget, connectDatabase } from '../../platform/database/connections.ts';
import type { Loss } from '../../platform/database/server-history.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { sealChains } from '../seals/seal-chains.ts';
import { moveOn } from './move-on.ts';
import * as queries from './queries.ts';

type GoOnDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

const THE_SERVICE: Actor = { kind: 'operator', name: 'the service itself', address: hostname() };

/**
 * Does at once what cannot wait when a server has lost commits that this process or an earlier one has seen; acts are
 * refused meanwhile. Returns when it is safe to begin.
 */
export async function goOnAfterLosses(deps: GoOnDeps, servers: readonly ConnectionTarget[]): Promise<void> {
  for (const [index, { history }] of deps.database.servers.entries()) {
    const target = servers[index];
    if (target === undefined) continue;
    history?.whenLost(async (loss) => {
      const lost = { timeline: loss.timeline, kept_until: loss.keptUntil, is_rewound: loss.isRewound };
      deps.log.error(lost, 'The database lost what was committed. Requests are refused until it is safe to go on.');
      // The usual connections refuse every act.
      const database = connectDatabase(target, () => undefined);
      try {
        await goOn({ ...deps, database }, loss);
      } catch (error) {
        deps.log.error({ err: error }, 'It is not safe to go on yet.');
        throw error;
      } finally {
        await database.close();
      }
    });
  }
  await Promise.all(deps.database.servers.map(({ history }) => history?.whenSafe()));
}

/** Moves every organization of the server on, as `bestow restore finish` does; then a person does the rest with it. */
async function goOn(deps: GoOnDeps, { system, timeline, bytes, keptUntil, isRewound }: Loss): Promise<void> {
  const now = () => new Date(deps.clock.now());
  const { shards, pool } = deps.database;
  const newest = keptUntil ?? (await queries.selectNewestEvent(shards, []))[0]?.created_at ?? now();
  const upTo = new Date(Math.min(newest.getTime(), deps.clock.now()));
  const [loss] = await queries.noteLoss(pool, [system, timeline, bytes, upTo, now(), isRewound]);
  if (loss === undefined) throw new Error('Another process notes the loss.');
  const { kept_until, begins_at } = loss;
  if (loss.moved_on_at !== null) return;
  await sealChains(deps, UNTIL_IT_IS_DONE);
  const organizations = await listOrganizations(deps);
  let events = 0;
  for (const { organization_id } of organizations)
    events += (await moveOn(deps, decodeId('org', organization_id) ?? '', kept_until, THE_SERVICE))?.events ?? 0;
  await queries.noteMovedOn(pool, [system, timeline, begins_at, now(), events]);
  deps.log.error(
    { kept_until, organizations: organizations.length },
    'What was committed after this time is lost. The service goes on as after a restore. Do the rest: bestow restore finish',
  );
}
