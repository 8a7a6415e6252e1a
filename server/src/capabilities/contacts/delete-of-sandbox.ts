import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { deleteSandboxContacts } from './queries.ts';

export const deleteContactsOfSandbox: DeleteOfSandbox = async (client, organizationId) => {
  await deleteSandboxContacts(client, [organizationId]);
  return {};
};
