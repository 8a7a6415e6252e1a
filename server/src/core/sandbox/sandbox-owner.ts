import type { PoolClient } from 'pg';

export interface DeletedContents {
  orders_deleted: number;
  gifts_deleted: number;
  /** 0 or 1. */
  balances_deleted: number;
  ledger_entries_deleted: number;
}

/**
 * Deletes what one owner of tables has of a sandbox, within the transaction that locks the sandbox and its balance.
 *
 * @param organizationId UUID
 * @returns the counts that are reported
 */
export type DeleteOfSandbox = (client: PoolClient, organizationId: string) => Promise<Partial<DeletedContents>>;
