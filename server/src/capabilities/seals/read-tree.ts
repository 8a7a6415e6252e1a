import type { Queryable } from '../../platform/database/statement.ts';
import { joinPeaks, type LeafRange, nodeOf, peaksOf } from './merkle-tree.ts';
import type { Chain } from './queries.ts';
import * as queries from './tree-queries.ts';

/** Hashing 500 rows takes 5 ms, in which the process answers nothing. */
export const ROWS_PER_SEAL = 500;
const LEAF_BYTES = 32;
/** Nodes are stored of every eighth height. */
const NODE_HEIGHTS = [8, 16, 24, 32] as const;
const STEP = 8;
const CHILDREN = 2 ** STEP;
/** 4,096 leaves hash in 15 ms. */
const NODES_AT_ONCE = 16;

/** The tree of a chain; `client` is in a transaction. */
export interface StoredTree {
  client: Queryable;
  organizationId: string;
  chain: Chain;
}

/** Returns the root of each range of leaves, all of which are sealed and subtrees of RFC 6962. */
export async function readRoots(tree: StoredTree, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const roots: Buffer[] = [];
  for (const range of ranges) {
    const peaks: Buffer[] = [];
    for (const [from, to] of peaksOf(range)) peaks.push(await readSubtree(tree, Math.log2(to - from), from));
    roots.push(joinPeaks(peaks));
  }
  return roots;
}

/** Reads a complete subtree by the stored nodes below it. */
async function readSubtree(tree: StoredTree, height: number, from: number): Promise<Buffer> {
  const base = height - (height % STEP);
  if (base === height && height > 0) {
    const [stored] = await readNodes(tree, height, from / 2 ** height, 1);
    return stored as Buffer;
  }
  const count = 2 ** (height - base);
  return fold(base === 0 ? await readLeaves(tree, from, count) : await readNodes(tree, base, from / 2 ** base, count));
}

/** Reads nodes; those that are not stored yet are computed. */
async function readNodes(tree: StoredTree, height: number, from: number, count: number): Promise<Buffer[]> {
  const { client, organizationId, chain } = tree;
  const rows = await queries.selectNodes(client, [organizationId, chain, height, from, from + count]);
  const stored = new Map(rows.map(({ number, hash }) => [number, hash]));
  const nodes: Buffer[] = [];
  for (let number = from; number < from + count; number += 1)
    nodes.push(stored.get(number) ?? (await computeNode(tree, height, number)));
  return nodes;
}

const computeNode = async (tree: StoredTree, height: number, number: number): Promise<Buffer> =>
  fold(
    height === STEP
      ? await readLeaves(tree, number * CHILDREN, CHILDREN)
      : await readNodes(tree, height - STEP, number * CHILDREN, CHILDREN),
  );

/** Joins a power of two of neighbours. */
function fold(hashes: readonly Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, n) => nodeOf(row[n * 2] as Buffer, row[n * 2 + 1] as Buffer));
  return row[0] as Buffer;
}

async function readLeaves(
  { client, organizationId, chain }: StoredTree,
  from: number,
  count: number,
): Promise<Buffer[]> {
  const found: Buffer[] = [];
  const below = from + count + ROWS_PER_SEAL;
  for (const { rows, leaves } of await queries.selectLeaves(client, [organizationId, chain, from, below]))
    for (let index = 0; index < leaves.length / LEAF_BYTES; index += 1) {
      const position = rows - leaves.length / LEAF_BYTES + index;
      if (position >= from && position < from + count)
        found.push(leaves.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES));
    }
  if (found.length !== count) throw new Error(`Leaves ${from} to ${from + count} of a ${chain} tree are not sealed.`);
  return found;
}

/** Stores some of the nodes that a tree of this size lacks. Returns whether it lacks more. */
export async function storeNodes(tree: StoredTree, size: number): Promise<boolean> {
  const { client, organizationId, chain } = tree;
  for (const height of NODE_HEIGHTS) {
    const due = Math.floor(size / 2 ** height);
    if (due === 0) return false;
    const [next] = await queries.selectNextNode(client, [organizationId, chain, height]);
    const from = next?.number ?? 0;
    const nodes: Buffer[] = [];
    for (let number = from; number < Math.min(due, from + NODES_AT_ONCE); number += 1)
      nodes.push(await computeNode(tree, height, number));
    if (nodes.length > 0) await queries.insertNodes(client, [organizationId, chain, height, from, nodes]);
    if (from + nodes.length < due) return true;
  }
  return false;
}
