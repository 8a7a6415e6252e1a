import { Type } from 'typebox';
import { deleteSandbox } from '../../capabilities/erasure/delete-sandbox.ts';
import { resetSandbox } from '../../capabilities/erasure/reset-sandbox.ts';
import type { Deps } from '../../core/deps.ts';
import { createSandbox } from '../../core/sandbox/create-sandbox.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Time } from '../../platform/api/schema.ts';
import { admitted } from '../../platform/authentication/caller.ts';

const Deleted = Type.Object({
  orders_deleted: Type.Integer(),
  gifts_deleted: Type.Integer(),
  balances_deleted: Type.Integer(),
  ledger_entries_deleted: Type.Integer(),
});

const PATH = '/organizations/{organization_id}/sandbox';

/** Creates, resets and deletes the sandbox. */
export function sandboxRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createSandbox',
      tag: 'Sandbox',
      summary: 'Creates the organization’s sandbox if it has none.',
      access: 'member',
      needs: 'test',
      response: Type.Object({ organization_id: Type.String(), created_at: Time }),
    },
    ({ params, member }) => createSandbox(deps, { organizationId: params.organization_id, actor: member.actor }),
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/reset`,
      operationId: 'resetSandbox',
      tag: 'Sandbox',
      summary: 'Deletes every order, gift, balance and ledger entry of the sandbox; keys stay.',
      access: 'member',
      needs: 'test',
      takesLong: true,
      response: Deleted,
    },
    ({ member: { organizationId, actor } }) =>
      resetSandbox(deps, { caller: admitted({ organizationId, environment: 'sandbox' }), actor }),
  );

  register(
    {
      method: 'DELETE',
      path: PATH,
      operationId: 'deleteSandbox',
      tag: 'Sandbox',
      summary: 'Deletes the sandbox and its contents. Its keys stay, but are refused until the sandbox exists again.',
      access: 'member',
      needs: 'test',
      takesLong: true,
      response: Deleted,
    },
    ({ params, member }) => deleteSandbox(deps, { organizationId: params.organization_id, actor: member.actor }),
  );
}
