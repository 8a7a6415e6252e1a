import type { Caller } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { canonicalEntry } from './canonical.ts';
import { consistencyProofOf, inclusionProofOf, type LeafRange } from './merkle-tree.ts';
import { type OpenTree, openTree, signCheckpoint, type TreeDeps } from './open-tree.ts';
import { selectEntries } from './queries.ts';
import { readRoots } from './read-tree.ts';
import type { CheckpointBody, ProofBody } from './schema.ts';
import { countBelow } from './tree-queries.ts';

/** Signs the ledger as it is sealed. @throws BestowError as `requireAdmitted` */
export const showCheckpoint = (deps: TreeDeps, caller: Caller): Promise<CheckpointBody> =>
  openTree(deps, caller, async (tree) => {
    const { root, note } = await signCheckpoint(deps, tree, tree.size);
    return {
      object: 'ledger_checkpoint',
      origin: tree.origin,
      size: tree.size,
      root: root.toString('base64'),
      key_id: deps.checkpointKeys.current.keyId,
      note,
    };
  });

/** @param size of the tree that the proof is for; the latest without it */
interface Proven {
  size: number | undefined;
}

/**
 * Proves that an entry is in the ledger.
 *
 * @param entryId `led_…`
 * @throws BestowError `resource_missing` if the entry is not sealed, `parameter_invalid`, and as `requireAdmitted`
 */
export const proveEntry = (deps: TreeDeps, caller: Caller, { entryId, ...proven }: Proven & { entryId: string }) =>
  openTree(deps, caller, async (tree): Promise<ProofBody> => {
    const uuid = decodeId('led', entryId);
    const { client, organizationId, lastId } = tree;
    const [row] = uuid === undefined ? [] : await selectEntries(client, [organizationId, caller.environment, [uuid]]);
    if (uuid === undefined || row === undefined || uuid > lastId)
      throw new BestowError('resource_missing', {
        message: 'No sealed entry of the ledger has this id. An entry is sealed within about a minute.',
      });
    const size = sizeOf(tree, proven);
    const [below] = await countBelow(client, [organizationId, tree.chain, uuid]);
    const index = below?.count ?? 0;
    if (index >= size) throw invalid(`The entry is leaf ${index}, so size must be above ${index}.`);
    return {
      object: 'ledger_proof',
      type: 'inclusion',
      entry_id: encodeId('led', uuid),
      entry: canonicalEntry(row),
      index,
      ...(await proofOf(deps, tree, size, inclusionProofOf(index, size))),
    };
  });

/**
 * Proves that the ledger continues the one of an earlier checkpoint.
 *
 * @throws BestowError `parameter_invalid`, and as `requireAdmitted`
 */
export const proveConsistency = (
  deps: TreeDeps,
  caller: Caller,
  { fromSize, ...proven }: Proven & { fromSize: number },
) =>
  openTree(deps, caller, async (tree): Promise<ProofBody> => {
    const size = sizeOf(tree, proven);
    if (fromSize > size)
      throw new BestowError('parameter_invalid', {
        param: 'from_size',
        message: `from_size must be at most ${size}, the size of the tree ${tree.origin}. A checkpoint with another origin is of another tree.`,
      });
    const ranges = consistencyProofOf(fromSize, size);
    return {
      object: 'ledger_proof',
      type: 'consistency',
      from_size: fromSize,
      ...(await proofOf(deps, tree, size, ranges)),
    };
  });

const invalid = (message: string) => new BestowError('parameter_invalid', { param: 'size', message });

function sizeOf(tree: OpenTree, { size = tree.size }: Proven): number {
  if (size > tree.size) throw invalid(`size must be at most ${tree.size}, the size of the tree.`);
  return size;
}

const proofOf = async (deps: TreeDeps, tree: OpenTree, size: number, ranges: readonly LeafRange[]) => ({
  size,
  hashes: (await readRoots(tree, ranges)).map((hash) => hash.toString('base64')),
  checkpoint: (await signCheckpoint(deps, tree, size)).note,
});
