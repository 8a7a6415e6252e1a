import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { SANDBOX_LOCKS } from '../../platform/base/sandbox-locks.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { sandboxLocked } from './sandbox-locked.ts';

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

export const deleteTriesBefore = statementOnEachShard<[time: Date]>(
  'sandbox.delete_tries_before',
  'tries of every organization are deleted after an hour',
  'delete from steered_tries where tried_at < $1',
);

/** Locks the sandbox until the transaction ends, and waits for acts that hold the shared lock. */
export const lockSandbox = statement<CallerParameters, CallerRow>(
  'sandbox.lock',
  `with ${caller()}
   select ${callerColumns},
     case when caller_state = 'admitted' then pg_advisory_xact_lock(${SANDBOX_LOCKS}, hashtext($1::text)) end
   from caller`,
);

export const selectSandboxCaller = statement<CallerParameters, CallerRow>(
  'sandbox.select_caller',
  `with ${caller({ states: sandboxLocked })} select ${callerColumns} from caller`,
);

interface CountRow {
  count: number;
}

/** Also its seals. */
export const deleteLedgerEntries = statement<Organization, CountRow>(
  'sandbox.delete_ledger_entries',
  'select empty_sandbox_ledger($1) as count from organizations where organization_id = $1',
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

export const deletePairs = statement<Organization>(
  'sandbox.delete_pairs',
  `delete from metadata_pairs where organization_id = $1 and environment = 'sandbox'`,
);

/** With their rows. Waits for an order that a batch is placing. */
export const deleteBatches = statement<Organization>(
  'sandbox.delete_batches',
  `delete from batches where organization_id = $1 and environment = 'sandbox'`,
);

/** Also what members have asked for. */
export const deleteRequests = statement<Organization>(
  'sandbox.delete_requests',
  `delete from gift_requests where organization_id = $1 and environment = 'sandbox'`,
);

export const deleteSpending = statement<Organization>(
  'sandbox.delete_spending',
  `delete from spending where organization_id = $1 and environment = 'sandbox'`,
);

export const deleteBalance = statement<Organization>(
  'sandbox.delete_balance',
  `delete from balances where organization_id = $1 and environment = 'sandbox'`,
);

/** Webhook endpoints stay, and continue with the next event. */
export const restartEndpoints = statement<Organization>(
  'sandbox.restart_endpoints',
  `with deliveries as (
     delete from webhook_deliveries where organization_id = $1 and environment = 'sandbox'
   ), attempts as (
     delete from webhook_attempts where organization_id = $1 and environment = 'sandbox'
   )
   update webhook_endpoints set last_matched = null, lease_id = null, leased_until = null,
     cursor_sequence = coalesce((
       select last_sequence from event_counters where organization_id = $1 and environment = 'sandbox'
     ), 0)
   where organization_id = $1 and environment = 'sandbox'`,
);
