import { raiseLastId } from '../../core/balances/mark-balance.ts';
import type { Deps } from '../../core/deps.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { canonicalEntry, canonicalEvent } from './canonical.ts';
import { leafOf, MerkleTree, peaksOf } from './merkle-tree.ts';
import * as queries from './queries.ts';
import { ROWS_PER_SEAL, readRoots, type StoredTree, storeNodes } from './read-tree.ts';

type SealDeps = Pick<Deps, 'clock' | 'database'>;

const CHAINS_AT_ONCE = 1_000;
/** The work of a minute must end within it. */
const SEALED_WITHIN_MS = 40_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Seals the rows of every organization that are there now, in seals of up to 500 rows; chains with more take turns. Rows that
 * are committed meanwhile are sealed together by the next call.
 */
export async function sealChains(deps: SealDeps, withinMs = SEALED_WITHIN_MS): Promise<void> {
  const untilMs = performance.now() + withinMs;
  for (let mayBeMore = true; mayBeMore; ) {
    const found = await queries.selectUnsealedChains(deps.database.shards, [CHAINS_AT_ONCE]);
    mayBeMore = false;
    for (let chains = found; chains.length > 0; ) {
      const unfinished: typeof chains = [];
      for (const owned of chains) {
        if (performance.now() > untilMs) return;
        const sealed = await sealNext(deps, owned.organization_id, owned.chain);
        if (sealed === 'some') unfinished.push(owned);
        if (sealed !== 'none' && found.length >= CHAINS_AT_ONCE) mayBeMore = true;
      }
      chains = unfinished;
    }
  }
}

/** Which rows of a chain were sealed; after `some` it may have more. */
type Sealed = 'none' | 'some' | 'all';

async function sealNext(deps: SealDeps, organizationId: string, chain: queries.Chain): Promise<Sealed> {
  if (chain !== 'audit') await raiseLastId(deps.database.pool, [organizationId, chain]);
  return await inOrganization(deps.database, organizationId, async (client) => {
    if (chain === 'sandbox' && (await queries.shareSandbox(client, [organizationId])).length === 0) return 'none';
    const [latest] = await queries.selectHead(client, [organizationId, chain]);
    const { number, last_id, rows } = latest ?? { number: 0, last_id: NO_ID, rows: 0 };
    const stored = { client, organizationId, chain };
    // Another process may have sealed the rows and ended before it stored their nodes.
    if (await storeNodes(stored, rows)) return 'some';
    const texts = await readTexts(stored, last_id);
    const ids = [...texts.keys()];
    const lastId = ids.at(-1);
    if (lastId === undefined) return 'none';
    const leaves = [...texts.values()].map(leafOf);
    const tree = new MerkleTree(rows, await readRoots(stored, peaksOf([0, rows])));
    for (const leaf of leaves) tree.append(leaf);
    const inserted = await queries.insertSeal(client, [
      organizationId,
      chain,
      number + 1,
      ids,
      Buffer.concat(leaves),
      lastId,
      tree.size,
      tree.root(),
      new Date(deps.clock.now()),
    ]);
    // Another process has sealed them, and goes on.
    if (inserted.length === 0) return 'none';
    await storeNodes(stored, tree.size);
    if (chain === 'audit') await queries.deleteUnsealedEvents(client, [organizationId, ids]);
    return ids.length === ROWS_PER_SEAL ? 'some' : 'all';
  });
}

/** Returns the texts of rows without a seal by their ids. */
async function readTexts({ client, organizationId, chain }: StoredTree, lastId: string): Promise<Map<string, string>> {
  if (chain === 'audit') {
    const events = await queries.selectUnsealedEvents(client, [organizationId, ROWS_PER_SEAL]);
    return new Map(events.map((row) => [row.row_id, canonicalEvent(row)]));
  }
  const entries = await queries.selectUnsealedEntries(client, [organizationId, chain, lastId, ROWS_PER_SEAL]);
  return new Map(entries.map((row) => [row.row_id, canonicalEntry(row)]));
}
