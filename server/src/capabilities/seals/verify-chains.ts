import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { canonicalEntry, canonicalEvent } from './canonical.ts';
import type { Checkpoint } from './checkpoint.ts';
import { leafOf, MerkleTree } from './merkle-tree.ts';
import * as queries from './queries.ts';
import { selectNodes, selectStrayNodes } from './tree-queries.ts';

const SEALS_AT_ONCE = 20;
const LEAF_BYTES = 32;
const NODE_STEP = 8;
const MAX_CULPRITS_PER_CHECK = 50;
const SAID_EACH = 50_000;

export const sealChecks = [
  'each row is as it was sealed',
  'each seal continues the one before',
  'each node of a tree is the root of its leaves',
  'each row is sealed or waits for it',
  'each chain holds the checkpoint',
] as const;
export type SealCheck = (typeof sealChecks)[number];

/** Ids are encoded. */
export interface SealCulprit {
  check: SealCheck;
  organization_id: string;
  environment: Environment | null;
  /** The row; null for the chain itself. */
  subject_id: string | null;
  expected: string;
  found: string;
}

interface SealReport {
  /** Rows that seals name. */
  sealed: number;
  /** Rows that are not sealed yet. */
  waiting: number;
  faults: Record<SealCheck, number>;
  /** At most 50 per check. */
  culprits: SealCulprit[];
}

/** What all chains of the kind are checked by; `client` is in a transaction on one snapshot. */
interface SealVerifier {
  /** @param say is called with how far it came, now and then */
  verify(client: PoolClient, say?: (progress: string) => void): Promise<void>;
  /** Returns what was found on all shards. */
  report(): SealReport;
}

/**
 * Hashes every sealed row again and builds the tree of each chain from its beginning.
 *
 * @param kind the audit logs, or the ledgers
 * @param checkpoint ends of chains that must still be in them
 */
export function createSealVerifier(kind: 'audit' | 'ledger', checkpoint: readonly Checkpoint[]): SealVerifier {
  const list = kind === 'audit' ? queries.selectAuditChains : queries.selectLedgerChains;
  const ends = new Map(
    checkpoint
      .filter(({ chain }) => (chain === 'audit') === (kind === 'audit'))
      .map((end) => [`${end.organization_id} ${end.chain} ${end.rows}`, end]),
  );
  const faults = Object.fromEntries(sealChecks.map((check) => [check, 0])) as Record<SealCheck, number>;
  const report: SealReport = { sealed: 0, waiting: 0, faults, culprits: [] };
  const accuse = (culprit: SealCulprit) => {
    faults[culprit.check] += 1;
    if (faults[culprit.check] <= MAX_CULPRITS_PER_CHECK) report.culprits.push(culprit);
  };
  const restores: Restores = [];
  return {
    async verify(client, say = () => {}) {
      if (ends.size > 0) restores.push(...(await queries.selectRestores([client], [])));
      const chains = await list([client], []);
      const all = chains.reduce((sum, { sealed }) => sum + sealed, 0);
      let hashed = 0;
      const pass = () => {
        if (hashed % SAID_EACH === 0) say(`${hashed} of ${all} sealed rows`);
        hashed += 1;
      };
      for (const chain of chains) {
        report.sealed += chain.sealed;
        report.waiting += chain.waiting;
        await verifyChain(client, chain, { ends, restores, pass, accuse });
      }
      for (const node of await selectStrayNodes([client], [kind === 'audit', MAX_CULPRITS_PER_CHECK]))
        accuse({
          check: NODES,
          organization_id: encodeId('org', node.organization_id),
          environment: node.chain === 'audit' ? null : node.chain,
          subject_id: null,
          expected: `no node ${node.number} of height ${node.height}`,
          found: 'a node of no leaves',
        });
    },
    report() {
      for (const { organization_id, chain, rows } of ends.values())
        accuse({
          check: 'each chain holds the checkpoint',
          organization_id,
          environment: chain === 'audit' ? null : chain,
          subject_id: null,
          expected: `${rows} rows`,
          found: `fewer rows${explain(restores, { organization_id, chain, rows })}`,
        });
      ends.clear();
      return report;
    },
  };
}

type Ends = Map<string, Checkpoint>;
type Restores = Awaited<ReturnType<typeof queries.selectRestores>>;

/** Says that a checkpoint has rows that a restore of the database undid. The audit log, which is sealed, has the restore too. */
function explain(restores: Restores, end: Pick<Checkpoint, 'organization_id' | 'chain' | 'rows'>): string {
  const restore = restores.find(
    ({ organization_id, environment, ledger_rows }) =>
      encodeId('org', organization_id) === end.organization_id &&
      environment === 'live' &&
      (end.chain === 'audit' || ledger_rows < end.rows),
  );
  if (restore === undefined) return '';
  const rows = end.chain === 'audit' ? '' : `, when the ledger had ${restore.ledger_rows} rows`;
  return `: the database was restored to ${restore.restored_to.toISOString()}${rows}`;
}

interface Verification {
  /** Those that a chain reaches are removed. */
  ends: Ends;
  restores: Restores;
  /** Is called with each sealed row. */
  pass(): void;
  accuse(culprit: SealCulprit): void;
}

async function verifyChain(
  client: PoolClient,
  chain: queries.ChainRow,
  { ends, restores, pass, accuse }: Verification,
): Promise<void> {
  const owner = encodeId('org', chain.organization_id);
  const accuseRow: AccuseRow = (check, rowId, expected, found) =>
    accuse({
      check,
      organization_id: owner,
      environment: chain.chain === 'audit' ? null : chain.chain,
      subject_id: rowId === null ? null : encodeId(chain.chain === 'audit' ? 'evt' : 'led', rowId),
      expected,
      found,
    });
  await followSeals(client, chain, accuseRow, (rows, rowId, head) => {
    pass();
    const name = `${owner} ${chain.chain} ${rows}`;
    const end = ends.get(name);
    const found = end && head();
    if (end !== undefined && end.head !== found)
      accuseRow('each chain holds the checkpoint', rowId, `the head ${end.head}`, `${found}${explain(restores, end)}`);
    ends.delete(name);
  });
  if (chain.found <= chain.sealed) return;
  for (const { row_id } of await selectForeign(client, chain))
    accuseRow('each row is sealed or waits for it', row_id, 'no such row', 'a row without a seal');
}

type AccuseRow = (check: SealCheck, rowId: string | null, expected: string, found: string) => void;
const NODES = 'each node of a tree is the root of its leaves' satisfies SealCheck;

const selectForeign = (client: PoolClient, { organization_id, chain, last_id }: queries.ChainRow) =>
  chain === 'audit'
    ? queries.selectForeignEvents(client, [organization_id, MAX_CULPRITS_PER_CHECK])
    : queries.selectForeignEntries(client, [organization_id, chain, last_id, MAX_CULPRITS_PER_CHECK]);

/** @param pass gets the head after each row, in hexadecimal */
async function followSeals(
  client: PoolClient,
  chain: queries.ChainRow,
  accuse: AccuseRow,
  pass: (rows: number, rowId: string, head: () => string) => void,
): Promise<void> {
  const tree = new MerkleTree();
  let number = 0;
  for (;;) {
    const seals = await queries.selectSeals(client, [chain.organization_id, chain.chain, number, SEALS_AT_ONCE]);
    if (seals.length === 0) return;
    const ids = seals.flatMap(({ row_ids }) => row_ids);
    const texts = await readTexts(client, chain.organization_id, chain.chain, ids);
    const nodes: TreeNode[] = [];
    for (const seal of seals) {
      for (const [index, rowId] of seal.row_ids.entries()) {
        const leaf = seal.leaves.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES);
        const text = texts.get(rowId);
        if (text === undefined) accuse('each row is as it was sealed', rowId, 'the sealed row', 'no row');
        else if (!leafOf(text).equals(leaf))
          accuse('each row is as it was sealed', rowId, 'the sealed row', 'a changed row');
        tree.append(leaf, (height, place, root) => {
          if (height % NODE_STEP === 0) nodes.push({ height, number: place, hash: root });
        });
        pass(tree.size, rowId, () => tree.root().toString('hex'));
      }
      const isNext = seal.number === number + 1 && seal.rows === tree.size && seal.last_id === seal.row_ids.at(-1);
      if (!isNext || !seal.head.equals(tree.root()))
        accuse(
          'each seal continues the one before',
          seal.last_id,
          `seal ${number + 1}`,
          `seal ${seal.number}, changed`,
        );
      // Later seals are compared with this one as it is.
      number = seal.number;
    }
    await compareNodes(client, chain, nodes, accuse);
  }
}

type TreeNode = { height: number; number: number; hash: Buffer };

/** A node that is missing is computed when it is needed. */
async function compareNodes(
  client: PoolClient,
  { organization_id: organizationId, chain }: queries.ChainRow,
  nodes: readonly TreeNode[],
  accuse: AccuseRow,
): Promise<void> {
  for (const [height, due] of Map.groupBy(nodes, (node) => node.height)) {
    const [first, last] = [due[0]?.number ?? 0, due.at(-1)?.number ?? 0];
    for (const stored of await selectNodes(client, [organizationId, chain, height, first, last + 1]))
      if (due[stored.number - first]?.hash.equals(stored.hash) !== true)
        accuse(
          NODES,
          null,
          `the root of leaves ${stored.number * 2 ** height} to ${(stored.number + 1) * 2 ** height}`,
          'another hash',
        );
  }
}

/** Returns the texts of rows by their ids. */
async function readTexts(
  client: PoolClient,
  organizationId: string,
  chain: queries.Chain,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (chain === 'audit') {
    const events = await queries.selectEvents(client, [organizationId, ids]);
    return new Map(events.map((row) => [row.row_id, canonicalEvent(row)]));
  }
  const entries = await queries.selectEntries(client, [organizationId, chain, ids]);
  return new Map(entries.map((row) => [row.row_id, canonicalEntry(row)]));
}
