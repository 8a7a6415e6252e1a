import { SANDBOX_LOCKS } from '../base/sandbox-locks.ts';

/**
 * A state for the `caller` of a statement that changes a sandbox. The transaction shares the lock, so a reset waits for it;
 * during a reset the change fails at once, because its locks are held for up to half a minute.
 */
export const sandboxLocked = `when $2 = 'sandbox' and not pg_try_advisory_xact_lock_shared(${SANDBOX_LOCKS}, hashtext($1::text))
         then 'sandbox_locked'`;
