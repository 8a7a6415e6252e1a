import type { PoolClient } from 'pg';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { CheckpointDeps } from './checkpoint-keys.ts';
import { peaksOf } from './merkle-tree.ts';
import { originOf, signNote } from './note.ts';
import { readRoots, type StoredTree } from './read-tree.ts';
import { countBelow, selectTree, selectUnsealedExists } from './tree-queries.ts';

export type TreeDeps = Pick<CheckpointDeps, 'checkpointKeys' | 'database'>;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The tree of a ledger, as it is sealed. */
export interface OpenTree extends StoredTree {
  client: PoolClient;
  /** Leaves. */
  size: number;
  origin: string;
  /** The id of the last sealed entry; all entries up to it are leaves. */
  lastId: string;
}

/**
 * Runs an act on the tree of the caller's ledger, on one snapshot.
 *
 * @throws BestowError as `requireAdmitted`
 */
export const openTree = <Result>(
  deps: TreeDeps,
  caller: Caller,
  act: (tree: OpenTree) => Promise<Result>,
): Promise<Result> => {
  const { organizationId, environment } = caller;
  const open = async (client: PoolClient) => {
    const [row] = await selectTree(client, parametersOf(caller));
    requireAdmitted(caller, row);
    return await act({
      client,
      organizationId,
      chain: environment,
      size: row.size ?? 0,
      origin: originOf(organizationId, environment, row),
      lastId: row.last_id ?? NO_ID,
    });
  };
  return inOrganization(deps.database, organizationId, open, { isSnapshot: true });
};

/** Signs the root that the tree had at a size. @param more further lines to sign */
export async function signCheckpoint(
  { checkpointKeys }: Pick<CheckpointDeps, 'checkpointKeys'>,
  tree: OpenTree,
  size: number,
  more: readonly string[] = [],
): Promise<{ root: Buffer; note: string }> {
  const [root] = (await readRoots(tree, [[0, size]])) as [Buffer];
  return { root, note: signNote(checkpointKeys, { origin: tree.origin, size, root }, more) };
}

/**
 * Finds the leaves of a range of ids.
 *
 * @param range UUIDs: above and below these
 */
export async function findLeaves(tree: OpenTree, { above, below }: { above: string; below: string }) {
  const { client, organizationId, chain, size, lastId } = tree;
  const [first] = await countBelow(client, [organizationId, chain, above]);
  const [end] = await countBelow(client, [organizationId, chain, below]);
  const environment = chain === 'sandbox' ? 'sandbox' : 'live';
  const unsealed = await selectUnsealedExists(client, [organizationId, environment, lastId, below]);
  return {
    first: first?.count ?? size,
    end: end?.count ?? size,
    /** The roots of the complete subtrees before the first leaf, largest first. */
    before: await readRoots(tree, peaksOf([0, first?.count ?? size])),
    /** Whether every entry of the range is sealed. */
    isWhole: unsealed.length === 0,
  };
}
