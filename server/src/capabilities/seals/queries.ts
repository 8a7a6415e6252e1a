import type { Environment } from '../../platform/base/environment.ts';
import { SANDBOX_LOCKS } from '../../platform/base/sandbox-locks.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

/** The audit log, or the ledger of an environment. */
export type Chain = 'audit' | Environment;

type OfChain = [organizationId: string, chain: Chain];
type OfLedger = [organizationId: string, environment: Environment];

/** Text that a JavaScript number or date would round stays text. */
export interface SealedEntryRow {
  organization_id: string;
  environment: Environment;
  row_id: string;
  kind: string;
  amount_cents: string;
  balance_after_cents: string;
  order_id: string | null;
  gift_id: string | null;
  reference: string | null;
  note: string | null;
  /** By account; null if the entry stores none. */
  legs: { account: string; amount: string }[] | null;
  created_at: string;
}

export interface SealedEventRow {
  organization_id: string;
  environment: Environment | null;
  row_id: string;
  action: string;
  actor_kind: string;
  actor_member_id: string | null;
  actor_name: string;
  actor_address: string;
  target: string | null;
  details: unknown;
  created_at: string;
}

const microseconds = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`;
export const entryColumns = `organization_id, environment, entry_id as row_id, kind, amount_cents::text as amount_cents,
  balance_after_cents::text as balance_after_cents, order_id, gift_id, reference, note, (
    select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount_cents::text) order by l.account collate "C")
    from ledger_legs l
    where l.organization_id = e.organization_id and l.environment = e.environment and l.entry_id = e.entry_id
  ) as legs, ${microseconds}`;
const eventColumns = `organization_id, environment, event_id as row_id, action, actor_kind, actor_member_id, actor_name,
  actor_address, target, details, ${microseconds}`;

interface OwnedChainRow {
  organization_id: string;
  chain: Chain;
}

/** Finds chains with rows that no seal has. */
export const selectUnsealedChains = statementOnEachShard<[limit: number], OwnedChainRow>(
  'seals.list_unsealed_chains',
  'every minute seals the new rows of every organization',
  `(select distinct organization_id, 'audit'::seal_chain as chain from unsealed_events limit $1)
   union all
   (select b.organization_id, b.environment::text::seal_chain
    from balances b
    left join lateral (
      select s.last_id from seals s
      where s.organization_id = b.organization_id and s.chain = b.environment::text::seal_chain
      order by s.number desc limit 1
    ) head on true
    where exists (
      select from ledger_entries e
      where e.organization_id = b.organization_id and e.environment = b.environment
        and e.entry_id > coalesce(head.last_id, '00000000-0000-0000-0000-000000000000')
    ) limit $1)`,
);

/** Shares the lock that a reset of the sandbox takes; returns no row during a reset. */
export const shareSandbox = statement<[organizationId: string], { organization_id: string }>(
  'seals.share_sandbox',
  `select organization_id from organizations
   where organization_id = $1 and pg_try_advisory_xact_lock_shared(${SANDBOX_LOCKS}, hashtext($1::text))`,
);

interface SealRow {
  number: number;
  row_ids: string[];
  leaves: Buffer;
  last_id: string;
  rows: number;
  head: Buffer;
}

/** The latest seal. */
export const selectHead = statement<OfChain, Pick<SealRow, 'number' | 'last_id' | 'rows'>>(
  'seals.select_head',
  `select number, last_id, rows from seals
   where organization_id = $1 and chain = $2 order by number desc limit 1`,
);

/** Every entry that commits later has an id above the balance's last one; so these are final, and in order. */
export const selectUnsealedEntries = statement<[...OfLedger, afterId: string, limit: number], SealedEntryRow>(
  'seals.list_unsealed_entries',
  `select ${entryColumns} from ledger_entries e
   where organization_id = $1 and environment = $2 and entry_id > $3
     and entry_id <= (select b.last_id from balances b where b.organization_id = $1 and b.environment = $2)
   order by entry_id limit $4`,
);

export const selectUnsealedEvents = statement<[organizationId: string, limit: number], SealedEventRow>(
  'seals.list_unsealed_events',
  `select ${eventColumns} from audit_events
   where organization_id = $1
     and event_id in (
       select u.event_id from unsealed_events u where u.organization_id = $1 order by u.event_id limit $2
     )
   order by event_id`,
);

/** `head`: the root of the tree. Returns no row if another process has sealed the rows. */
export const insertSeal = statement<
  [
    ...OfChain,
    number: number,
    rowIds: readonly string[],
    leaves: Buffer,
    lastId: string,
    rows: number,
    head: Buffer,
    sealedAt: Date,
  ],
  { number: number }
>(
  'seals.insert',
  // No index is named, because two sealers at the same moment meet in each unique one.
  `insert into seals (organization_id, chain, number, row_ids, leaves, last_id, rows, head, sealed_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict do nothing
   returning number`,
);

export const deleteUnsealedEvents = statement<[organizationId: string, eventIds: readonly string[]]>(
  'seals.delete_unsealed_events',
  'delete from unsealed_events where organization_id = $1 and event_id = any($2)',
);

export const selectSeals = statement<[...OfChain, afterNumber: number, limit: number], SealRow>(
  'seals.list',
  `select number, row_ids, leaves, last_id, rows, head from seals
   where organization_id = $1 and chain = $2 and number > $3 order by number limit $4`,
);

export const selectEntries = statement<[...OfLedger, entryIds: readonly string[]], SealedEntryRow>(
  'seals.select_entries',
  `select ${entryColumns} from ledger_entries e
   where organization_id = $1 and environment = $2 and entry_id = any($3)`,
);

export const selectEvents = statement<[organizationId: string, eventIds: readonly string[]], SealedEventRow>(
  'seals.select_events',
  `select ${eventColumns} from audit_events where organization_id = $1 and event_id = any($2)`,
);

export interface ChainRow extends OwnedChainRow {
  /** Rows that the seals name. */
  sealed: number;
  /** Rows that are there and must be among them. */
  found: number;
  /** Rows that have no seal yet. */
  waiting: number;
  last_id: string | null;
}

const heads = (condition: string) => `select distinct on (organization_id, chain) organization_id, chain, rows, last_id
     from seals where ${condition} order by organization_id, chain, number desc`;

export const selectLedgerChains = statementOnEachShard<[], ChainRow>(
  'seals.list_ledgers',
  'the operator verifies every ledger',
  `select organization_id, chain, coalesce(h.rows, 0) as sealed, coalesce(e.found, 0) as found,
     coalesce(e.waiting, 0) as waiting, h.last_id
   from (${heads(`chain <> 'audit'`)}) h
   full join (
     select e.organization_id, e.environment::text::seal_chain as chain,
       count(*) filter (where e.entry_id <= s.last_id) as found,
       count(*) filter (where (e.entry_id <= s.last_id) is not true) as waiting
     from ledger_entries e
     left join (${heads(`chain <> 'audit'`)}) s
       on s.organization_id = e.organization_id and s.chain = e.environment::text::seal_chain
     group by e.organization_id, e.environment
   ) e using (organization_id, chain)
   order by organization_id, chain`,
);

export const selectAuditChains = statementOnEachShard<[], ChainRow>(
  'seals.list_audit_logs',
  'the operator verifies every audit log',
  `select organization_id, 'audit'::seal_chain as chain, coalesce(h.rows, 0) as sealed,
     coalesce(e.count, 0) - coalesce(u.count, 0) as found, coalesce(u.count, 0) as waiting, h.last_id
   from (${heads(`chain = 'audit'`)}) h
   full join (select organization_id, count(*) as count from audit_events group by organization_id) e
     using (organization_id)
   full join (select organization_id, count(*) as count from unsealed_events group by organization_id) u
     using (organization_id)
   order by organization_id`,
);

interface NewestSealRow {
  organization_id: string;
  environment: Environment;
  /** The last sealed entry; null if the ledger has no seal. */
  last_id: string | null;
  /** Its hash, as it was sealed. */
  leaf: Buffer | null;
  /** As it is now; null if it is gone. */
  entry: SealedEntryRow | null;
}

/** The newest seal of every ledger. */
export const selectNewestSeals = statementOnEachShard<[], NewestSealRow>(
  'seals.list_newest',
  'the operator verifies every ledger',
  `select b.organization_id, b.environment, s.last_id, s.leaf,
     case when e.row_id is not null then to_jsonb(e) end as entry
   from balances b
   left join lateral (
     select s.last_id, substring(s.leaves from length(s.leaves) - 31) as leaf from seals s
     where s.organization_id = b.organization_id and s.chain = b.environment::text::seal_chain
     order by s.number desc limit 1
   ) s on true
   left join lateral (
     select ${entryColumns} from ledger_entries e
     where e.organization_id = b.organization_id and e.environment = b.environment and e.entry_id = s.last_id offset 0
   ) e on true`,
);

/** Finds entries among the sealed ones that no seal names. */
export const selectForeignEntries = statement<[...OfLedger, lastId: string | null, limit: number], { row_id: string }>(
  'seals.list_foreign_entries',
  `select e.entry_id as row_id from ledger_entries e
   where e.organization_id = $1 and e.environment = $2 and e.entry_id <= $3
     and not exists (
       select from seals s
       where s.organization_id = $1 and s.chain = $2::text::seal_chain and e.entry_id = any(s.row_ids)
     )
   order by e.entry_id limit $4`,
);

export const selectForeignEvents = statement<[organizationId: string, limit: number], { row_id: string }>(
  'seals.list_foreign_events',
  `select e.event_id as row_id from audit_events e
   where e.organization_id = $1
     and not exists (select from unsealed_events u where u.organization_id = $1 and u.event_id = e.event_id)
     and not exists (
       select from seals s where s.organization_id = $1 and s.chain = 'audit' and e.event_id = any(s.row_ids)
     )
   order by e.event_id limit $2`,
);

/** Restores of the database, by which a checkpoint of before may have rows that are gone. */
export const selectRestores = statementOnEachShard<
  [],
  { organization_id: string; environment: Environment; restored_to: Date; ledger_rows: number }
>(
  'seals.list_restores',
  'the operator verifies every chain',
  'select organization_id, environment, restored_to, ledger_rows from restores order by finished_at',
);
