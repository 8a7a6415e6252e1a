import type { PoolClient } from 'pg';
import { deleteSandbox } from './queries.ts';

/** Deletes the sandbox itself, whose contents are gone. @returns false if there is none */
export const deleteSandboxRow = async (client: PoolClient, organizationId: string): Promise<boolean> =>
  (await deleteSandbox(client, [organizationId])).length > 0;
