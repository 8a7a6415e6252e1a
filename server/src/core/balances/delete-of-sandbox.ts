import type { DeleteOfSandbox } from '../sandbox/sandbox-owner.ts';
import { deleteBalance, deleteLedgerEntries } from './sandbox-queries.ts';

export const deleteLedgerOf: DeleteOfSandbox = async (client, organizationId) => {
  const [entries] = await deleteLedgerEntries(client, [organizationId]);
  return { ledger_entries_deleted: entries?.count ?? 0 };
};

/** Its number is that of the lock, which creates a balance that is missing. */
export const deleteBalanceOf: DeleteOfSandbox = async (client, organizationId) => {
  await deleteBalance(client, [organizationId]);
  return {};
};
