import { statement } from '../database/statement.ts';

type Organization = [organizationId: string];

export interface SandboxRow {
  organization_id: string;
  created_at: Date;
}

/** Returns no row if the sandbox exists. */
export const insertSandbox = statement<[organizationId: string, createdAt: Date], SandboxRow>(
  'sandboxes.insert',
  `insert into sandboxes (organization_id, created_at) values ($1, $2)
   on conflict (organization_id) do nothing
   returning organization_id, created_at`,
);

export const selectSandbox = statement<Organization, SandboxRow>(
  'sandboxes.select',
  'select organization_id, created_at from sandboxes where organization_id = $1',
);

export const deleteSandbox = statement<Organization, SandboxRow>(
  'sandboxes.delete',
  'delete from sandboxes where organization_id = $1 returning organization_id, created_at',
);

/** Returns no row if the key was tried before. */
export const insertTry = statement<[organizationId: string, idempotencyKey: string, triedAt: Date], { tried_at: Date }>(
  'sandbox.insert_try',
  `insert into steered_tries (organization_id, idempotency_key, tried_at) values ($1, $2, $3)
   on conflict (organization_id, idempotency_key) do nothing
   returning tried_at`,
);

export const deleteTries = statement<Organization>(
  'sandbox.delete_tries',
  'delete from steered_tries where organization_id = $1',
);

export const deleteTriesBefore = statement<[time: Date]>(
  'sandbox.delete_tries_before',
  'delete from steered_tries where tried_at < $1',
);

/** A separate space of advisory locks; idempotency keys use another one. */
const RESETS = 1;

/** Locks the sandbox until the transaction ends, and waits for acts that hold the shared lock. */
export const lockSandbox = statement<Organization>(
  'sandbox.lock',
  `select pg_advisory_xact_lock(${RESETS}, hashtext($1))`,
);

export const selectSandboxUnlocked = statement<Organization, { is_unlocked: boolean }>(
  'sandbox.select_unlocked',
  `select pg_try_advisory_xact_lock_shared(${RESETS}, hashtext($1)) as is_unlocked`,
);

interface CountRow {
  count: number;
}

export const deleteLedgerEntries = statement<Organization, CountRow>(
  'sandbox.delete_ledger_entries',
  `with deleted as (
     delete from ledger_entries where organization_id = $1 and environment = 'sandbox' returning 1
   )
   select count(*) as count from deleted`,
);

export const deleteGifts = statement<Organization, CountRow>(
  'sandbox.delete_gifts',
  `with deleted as (delete from gifts where organization_id = $1 and environment = 'sandbox' returning 1)
   select count(*) as count from deleted`,
);

export const deleteOrders = statement<Organization, CountRow>(
  'sandbox.delete_orders',
  `with deleted as (delete from orders where organization_id = $1 and environment = 'sandbox' returning 1)
   select count(*) as count from deleted`,
);

export const deleteBalance = statement<Organization>(
  'sandbox.delete_balance',
  `delete from balances where organization_id = $1 and environment = 'sandbox'`,
);
