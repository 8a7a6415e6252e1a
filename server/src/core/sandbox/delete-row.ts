import type { PoolClient } from 'pg';
import { deleteSandbox } from './queries.ts';

/** Deletes the row of a sandbox after its contents. @returns false if the organization has no sandbox */
export const deleteSandboxRow = async (client: PoolClient, organizationId: string): Promise<boolean> =>
  (await deleteSandbox(client, [organizationId])).length > 0;
