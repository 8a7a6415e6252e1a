import assert from 'node:assert/strict';
import { checkTables } from '../../../reliability/checker/check-tables.ts';
import { verifyLedger } from '../../src/capabilities/seals/verify-ledger.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** The balance in cents. */
export async function balanceOf(
  service: TestService,
  organization: TestOrganization,
  environment: Environment,
): Promise<number> {
  const [row] = await service.sql<{ balance_cents: string }>(
    'select balance_cents from balances where organization_id = $1 and environment = $2',
    [organization.organizationUuid, environment],
  );
  return Number(row?.balance_cents ?? 0);
}

/** Checks every balance and debit against the ledger, and every invariant of the tables. */
export async function verifyAll(service: TestService): Promise<void> {
  const { culprits } = await verifyLedger(service.service.deps);
  assert.deepEqual(culprits, []);
  for (const server of service.servers) assert.deepEqual(await checkTables(server), []);
}
