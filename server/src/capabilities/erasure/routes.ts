import type { Deps } from '../../core/deps.ts';
import { SandboxResetResult } from '../../core/gifts/sandbox/sandbox-schema.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { resetSandbox } from './reset-sandbox.ts';

export function resetRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: '/v1/sandbox/reset',
      operationId: 'resetSandbox',
      tag: 'Sandbox',
      summary: 'Reset the sandbox',
      description:
        'Deletes every order, gift, balance and ledger entry of the organization’s sandbox, and with them the idempotency keys. API keys stay. Add funds before ordering again. It cannot be undone, and a second call deletes what has come since.',
      access: 'sandbox',
      isSentOnce: true,
      takesLong: true,
      response: refTo(SandboxResetResult),
      answers: {
        200: {
          description: 'What was deleted.',
          example: {
            object: 'sandbox_reset',
            orders_deleted: 12,
            gifts_deleted: 30,
            balances_deleted: 1,
            ledger_entries_deleted: 13,
          },
        },
      },
      errors: ['resource_locked'],
    },
    async ({ request }) => ({
      object: 'sandbox_reset' as const,
      ...(await resetSandbox(deps, { caller: callerOf(request), actor: { kind: 'key' } })),
    }),
  );
}
