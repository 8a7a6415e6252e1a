import { Type } from 'typebox';
import { approveChange, declineChange, listWaitingChanges } from '../../core/balances/approvals.ts';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Environment, nullable, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';

const Approval = Type.Object(
  {
    approval_id: Type.String(),
    environment: Environment,
    amount: Type.Integer({ description: 'Cents; negative for a debit.' }),
    reference: nullable(Type.String()),
    note: nullable(Type.String()),
    state: Type.String(),
    requested_by: Type.String(),
    created_at: Time,
  },
  { $id: 'Approval' },
);

const PATH = '/organizations/{organization_id}/approvals';
/** Changes of balances that wait for a second person. */
export function approvalRoutes(register: Register, deps: Deps): void {
  const list = async (organizationId: string) =>
    (await listWaitingChanges(deps, organizationId)).filter(({ environment }) =>
      deps.config.serveEnvironments.includes(environment),
    );

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listApprovals',
      tag: 'Balance',
      summary: 'The changes of balances that wait for a second person, oldest first.',
      access: 'member',
      needs: 'money',
      response: Type.Object({ data: Type.Array(Approval) }),
    },
    async ({ params }) => ({ data: await list(params.organization_id) }),
  );

  for (const [name, operationId, summary, act] of [
    ['approve', 'approveChange', 'Makes a change of the balance that the operator asked for.', approveChange],
    ['decline', 'declineChange', 'Declines a change of the balance.', declineChange],
  ] as const)
    register(
      {
        method: 'POST',
        path: `${PATH}/{approval_id}/${name}`,
        operationId,
        tag: 'Balance',
        summary,
        access: 'member',
        needs: 'pay',
        needsFreshSignIn: true,
        response: Approval,
      },
      async ({ params, member }) => {
        const { organization_id: organizationId, approval_id: approvalId } = params;
        const waiting = await list(organizationId);
        if (!waiting.some((one) => one.approval_id === approvalId)) throw new BestowError('not_found');
        return act(deps, { organizationId, approvalId, actor: member.actor });
      },
    );
}
