import { statement } from '../../platform/database/statement.ts';

type Organization = [organizationId: string];

interface CountRow {
  count: number;
}

/** Also its seals. */
export const deleteLedgerEntries = statement<Organization, CountRow>(
  'sandbox.delete_ledger_entries',
  'select empty_sandbox_ledger($1) as count from organizations where organization_id = $1',
);

export const deleteBalance = statement<Organization>(
  'sandbox.delete_balance',
  `delete from balances where organization_id = $1 and environment = 'sandbox'`,
);
