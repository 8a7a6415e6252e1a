import { Type } from 'typebox';
import { LedgerStatement } from '../../core/balances/schema.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { sendStatement } from './send-statement.ts';

export function statementRoute(addRoute: AddRoute, deps: CheckpointDeps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/balance/statements/{month}',
      operationId: 'retrieveLedgerStatement',
      tag: 'Ledger',
      summary: 'Retrieve a signed statement',
      description:
        'All sealed entries of a month with opening and closing balance, signed. `verifyStatement` of the SDK and `bestow ledger verify-statement` check it without the service.',
      access: 'key',
      isCompressed: true,
      params: Type.Object({ month: Type.String({ description: 'A month in UTC.', examples: ['2026-11'] }) }),
      response: refTo(LedgerStatement),
      answers: { 200: { description: 'The statement, of any length.' } },
      errors: ['parameter_invalid'],
    },
    // A stream is not serialized by the schema.
    ({ params, request, reply }) => sendStatement(deps, callerOf(request), params.month, reply) as never,
  );
}
