import { Type } from 'typebox';
import { listStatementMonths } from '../balances/list-statement-months.ts';
import { Statement } from '../balances/portal-schema.ts';
import { showStatement } from '../balances/show-statement.ts';
import type { Deps } from '../deps.ts';
import type { Register } from './register.ts';

const PATH = '/organizations/{organization_id}/{environment}/balance/statements';

/** Monthly statements of the balance. */
export function statementRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listStatementMonths',
      tag: 'Balance',
      summary: 'The months with a statement, latest first.',
      access: 'member',
      response: Type.Object({ data: Type.Array(Type.String({ description: 'Such as `2026-11`, in UTC.' })) }),
    },
    async ({ scope }) => ({ data: await listStatementMonths(deps, scope) }),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{month}`,
      operationId: 'showStatement',
      tag: 'Balance',
      summary: 'One month: opening balance, entries, totals and closing balance.',
      access: 'member',
      response: Statement,
    },
    ({ params, scope }) => showStatement(deps, scope, params.month),
  );
}
