import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { sandboxLocked } from '../../platform/authentication/sandbox-locked.ts';
import { SANDBOX_LOCKS } from '../../platform/base/sandbox-locks.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

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
