import type { Deps } from '../../core/deps.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inTransaction, SNAPSHOT, UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { parseNote } from './note.ts';
import { type Chain, selectAuditChains, selectLedgerChains } from './queries.ts';
import { readRoots } from './read-tree.ts';
import { sealChains } from './seal-chains.ts';

/** The end of a chain at a time. A copy elsewhere shows later whether rows before it were changed or cut off. */
export interface Checkpoint {
  organization_id: string;
  /** A sandbox is not in a checkpoint, because a reset begins its ledger again. */
  chain: Exclude<Chain, 'sandbox'>;
  rows: number;
  /** The root of the tree: SHA-256 in hexadecimal. */
  head: string;
}

/** Seals all rows and returns the end of every audit log and live ledger. */
export async function takeCheckpoint(deps: Pick<Deps, 'clock' | 'database'>): Promise<Checkpoint[]> {
  await sealChains(deps, UNTIL_IT_IS_DONE);
  const ends: Checkpoint[] = [];
  for (const shard of deps.database.shards)
    await inTransaction(
      shard,
      async (client) => {
        await allowStatements(client, UNTIL_IT_IS_DONE);
        const chains = [...(await selectAuditChains([client], [])), ...(await selectLedgerChains([client], []))];
        for (const { organization_id: organizationId, chain, sealed } of chains) {
          if (sealed === 0 || chain === 'sandbox') continue;
          const [root] = await readRoots({ client, organizationId, chain }, [[0, sealed]]);
          const head = (root as Buffer).toString('hex');
          ends.push({ organization_id: encodeId('org', organizationId), chain, rows: sealed, head });
        }
      },
      UNTIL_IT_IS_DONE,
      SNAPSHOT,
    );
  return ends;
}

/** The first line: an empty file is not a checkpoint of no chains. */
const HEADING = JSON.stringify({ checkpoint: 2 });

/** One JSON object a line. */
export const printCheckpoint = (ends: readonly Checkpoint[]): string =>
  [HEADING, ...ends.map((end) => JSON.stringify(end))].join('\n');

/**
 * Reads what `printCheckpoint` returned, or the signed checkpoint of a live ledger.
 *
 * @throws OperatorError if a line is something else
 */
export function parseCheckpoint(text: string): Checkpoint[] {
  const note = parseNote(text);
  if (note !== undefined) return [endOf(note)];
  const [heading, ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  if (heading !== HEADING) refuse('The checkpoint');
  return lines.map((line, index) => parseLine(line) ?? refuse(`Line ${index + 2} of the checkpoint`));
}

function refuse(what: string): never {
  throw new OperatorError(`${what} is not what bestow ledger checkpoint printed; use the file as it was written.`);
}

/** The signature is not checked: a forged checkpoint does not fit the ledger. */
function endOf({ organizationId, environment, size, root }: NonNullable<ReturnType<typeof parseNote>>): Checkpoint {
  if (environment !== 'live')
    throw new OperatorError('This is the checkpoint of a sandbox, whose ledger a reset begins again; use a live one.');
  return { organization_id: encodeId('org', organizationId), chain: 'live', rows: size, head: root.toString('hex') };
}

function parseLine(line: string): Checkpoint | undefined {
  try {
    const { organization_id, chain, rows, head } = JSON.parse(line) as Record<keyof Checkpoint, unknown>;
    const isId = typeof organization_id === 'string' && decodeId('org', organization_id) !== undefined;
    const isHead = typeof head === 'string' && /^[0-9a-f]{64}$/.test(head);
    if (!isId || !isHead || (chain !== 'audit' && chain !== 'live') || !Number.isSafeInteger(rows)) return undefined;
    return { organization_id, chain, rows: rows as number, head };
  } catch {
    return undefined;
  }
}
