import type { LedgerStatementBody } from '../../core/balances/schema.ts';
import { monthOf } from '../../core/balances/show-statement.ts';
import { sumDays } from '../../core/balances/sum-days.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { idBefore } from '../../platform/base/id-time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { listSealedEntries, sumSealedEntries } from '../seals/list-sealed-entries.ts';
import { findLeaves, openTree, signCheckpoint } from '../seals/open-tree.ts';

type StatementDeps = Pick<CheckpointDeps, 'checkpointKeys' | 'clock' | 'config' | 'database'>;

/** An order may be placed this long after its id was made. */
const SETTLED_AFTER_MS = 60_000;

/** A statement whose entries are still to be read. */
interface OpenStatement {
  head: Omit<LedgerStatementBody, 'entries' | 'closing_balance' | 'checkpoint'>;
  /** The hashed texts of the entries, earliest first, a page at a time. */
  pages(): AsyncGenerator<string[], void>;
  /** Counts and sums the entries by kind, without reading them. */
  sums(): ReturnType<typeof sumSealedEntries>;
  /** Signs the statement with the sum of its entries. @throws Error if an entry is missing, after a reset of the sandbox */
  close(entries: number, cents: number): Promise<Pick<LedgerStatementBody, 'closing_balance' | 'checkpoint'>>;
}

/**
 * Opens the signed statement of a month: its sealed entries, and what proves that they are those of the tree.
 *
 * @param month such as `2026-11`
 * @throws BestowError `parameter_invalid`, and as `requireAdmitted`
 */
export async function openStatement(deps: StatementDeps, caller: Caller, month: string): Promise<OpenStatement> {
  const { organizationId, environment } = caller;
  const { from, to } = monthOf(month);
  const range = { above: idBefore(from), below: idBefore(to) };
  const found = await openTree(deps, caller, async (tree) => {
    const { first, end, before, isWhole } = await findLeaves(tree, range);
    return { first, end, before, isWhole, lastId: tree.lastId };
  });
  const sealed = { ...range, lastId: found.lastId };
  // The balance before the month.
  const { opening_balance } = await sumDays(deps, caller, from, from);
  const head = {
    object: 'ledger_statement',
    version: 1,
    organization_id: encodeId('org', organizationId),
    environment,
    month,
    is_final: found.isWhole && deps.clock.now() >= to.getTime() + SETTLED_AFTER_MS,
    currency: deps.config.currency,
    opening_balance,
    first_index: found.first,
    before: found.before.map((hash) => hash.toString('base64')),
  } as const;
  return {
    head,
    pages: () => listSealedEntries(deps, caller, sealed),
    sums: () => sumSealedEntries(deps, caller, sealed),
    async close(entries, cents) {
      if (entries !== found.end - found.first) throw new Error('Entries of the statement are missing.');
      const closing = opening_balance + cents;
      const signed = ['statement', 1, month, head.is_final ? 'final' : 'open', head.currency];
      const line = [...signed, found.first, opening_balance, closing].join(' ');
      const { note } = await openTree(deps, caller, (tree) => signCheckpoint(deps, tree, found.end, [line]));
      return { closing_balance: closing, checkpoint: note };
    },
  };
}

/** Yields the statement as JSON, a page of entries at a time. */
export async function* writeStatement({ head, pages, close }: OpenStatement): AsyncGenerator<string, void> {
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let [count, cents] = [0, 0];
  for await (const texts of pages()) {
    for (const text of texts) cents += (JSON.parse(text) as { amount: number }).amount;
    yield `${count === 0 ? '' : ','}\n${texts.join(',\n')}`;
    count += texts.length;
  }
  yield `\n],${JSON.stringify(await close(count, cents)).slice(1)}\n`;
}
