import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { deleteSandboxRules } from './work-queries.ts';

export const deleteRulesOfSandbox: DeleteOfSandbox = async (client, organizationId) => {
  await deleteSandboxRules(client, [organizationId]);
  return {};
};
