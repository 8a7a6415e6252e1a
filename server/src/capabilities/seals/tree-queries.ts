import type { EntryKind } from '../../core/balances/portal-schema.ts';
import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { type Chain, entryColumns, type SealedEntryRow } from './queries.ts';

type OfChain = [organizationId: string, chain: Chain];

/** Seals with leaves from `from` on; a seal has at most `ROWS_PER_SEAL`, so those below `to` end below that many more. */
export const selectLeaves = statement<[...OfChain, from: number, below: number], { rows: number; leaves: Buffer }>(
  'seals.list_leaves',
  `select rows, leaves from seals
   where organization_id = $1 and chain = $2 and rows > $3 and rows < $4 order by rows`,
);

export const selectNodes = statement<
  [...OfChain, height: number, from: number, to: number],
  { number: number; hash: Buffer }
>(
  'seal_nodes.list',
  `select number, hash from seal_nodes
   where organization_id = $1 and chain = $2 and height = $3 and number >= $4 and number < $5 order by number`,
);

/** The number of the first subtree of the height without a node. */
export const selectNextNode = statement<[...OfChain, height: number], { number: number }>(
  'seal_nodes.next',
  `select coalesce(max(number) + 1, 0) as number from seal_nodes
   where organization_id = $1 and chain = $2 and height = $3`,
);

export const insertNodes = statement<[...OfChain, height: number, from: number, hashes: readonly Buffer[]]>(
  'seal_nodes.insert',
  `insert into seal_nodes (organization_id, chain, height, number, hash)
   select $1, $2, $3, $4 + n - 1, hash from unnest($5::bytea[]) with ordinality as node (hash, n)
   on conflict do nothing`,
);

/** Finds nodes that are not of a subtree of their tree. */
export const selectStrayNodes = statementOnEachShard<
  [isAudit: boolean, limit: number],
  { organization_id: string; chain: Chain; height: number; number: number }
>(
  'seal_nodes.list_stray',
  'the operator verifies every chain',
  `select n.organization_id, n.chain, n.height, n.number
   from seal_nodes n
   left join lateral (
     select s.rows from seals s where s.organization_id = n.organization_id and s.chain = n.chain
     order by s.number desc limit 1
   ) latest on true
   where (n.chain = 'audit') = $1 and (latest.rows >= (n.number + 1) * power(2, n.height)) is not true
   order by n.organization_id, n.chain, n.height, n.number limit $2`,
);

/** Counts sealed rows whose id is below. */
export const countBelow = statement<[...OfChain, id: string], { count: number }>(
  'seals.count_below',
  `select s.rows - cardinality(s.row_ids) + (select count(*) from unnest(s.row_ids) as row_id where row_id < $3) as count
   from seals s where s.organization_id = $1 and s.chain = $2 and s.last_id >= $3
   order by s.last_id limit 1`,
);

interface TreeRow {
  /** Leaves; null without a seal. */
  size: number | null;
  /** The first leaf's row. */
  first_id: string | null;
  last_id: string | null;
  /** Ends the ledger's name since the latest restore of the database; null without one. */
  restored_id: string | null;
}

export const selectTree = statement<CallerParameters, CallerRow & TreeRow>(
  'seals.select_tree',
  `with ${caller()}
   select ${callerColumns}, latest.size, latest.last_id, first.first_id, (
       select ledger_id from restores
       where organization_id = $1 and environment = $2::environment order by finished_at desc limit 1
     ) as restored_id
   from caller
   left join lateral (
     select s.rows as size, s.last_id from seals s
     where s.organization_id = $1 and s.chain = $2::text::seal_chain order by s.number desc limit 1
   ) latest on true
   left join lateral (
     select s.row_ids[1] as first_id from seals s
     where s.organization_id = $1 and s.chain = $2::text::seal_chain and s.number = 1
   ) first on true`,
);

/** Sealed entries of a range, earliest first. */
export const listSealedEntries = statement<
  [organizationId: string, environment: Environment, above: string, below: string, until: string, limit: number],
  SealedEntryRow
>(
  'seals.list_sealed_entries',
  `select ${entryColumns} from ledger_entries e
   where organization_id = $1 and environment = $2 and entry_id > $3 and entry_id < $4 and entry_id <= $5
   order by entry_id limit $6`,
);

/** The sealed entries of a range by kind. */
export const sumSealedEntries = statement<
  [organizationId: string, environment: Environment, above: string, below: string, until: string],
  { kind: EntryKind; count: number; cents: number }
>(
  'seals.sum_sealed_entries',
  `select kind, count(*) as count, sum(amount_cents)::bigint as cents from ledger_entries
   where organization_id = $1 and environment = $2 and entry_id > $3 and entry_id < $4 and entry_id <= $5
   group by kind order by kind`,
);

export const selectUnsealedExists = statement<
  [organizationId: string, environment: Environment, after: string, below: string],
  { entry_id: string }
>(
  'seals.exists_unsealed_entry',
  `select entry_id from ledger_entries
   where organization_id = $1 and environment = $2 and entry_id > $3 and entry_id < $4 limit 1`,
);
