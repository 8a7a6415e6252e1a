import { Type } from 'typebox';
import { listStatementMonths } from '../../core/balances/list-statement-months.ts';
import { Statement } from '../../core/balances/portal-schema.ts';
import { showStatement } from '../../core/balances/show-statement.ts';
import { showProgram } from '../../core/organizations/set-program.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { oneOf } from '../../platform/api/schema.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { chooseLanguage, languageTags } from '../../platform/languages/languages.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { sendStatement } from './send-statement.ts';
import { drawStatement } from './statement-pdf.ts';

const PATH = '/organizations/{organization_id}/{environment}/balance/statements';

/** Monthly statements of the balance. */
export function statementRoutes(register: Register, deps: CheckpointDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listStatementMonths',
      tag: 'Balance',
      summary: 'The months with a statement, latest first.',
      access: 'member',
      needs: 'money',
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
      needs: 'money',
      response: Statement,
    },
    ({ params, scope }) => showStatement(deps, scope, params.month),
  );

  fileRoutes(register, deps);
}

function fileRoutes(register: Register, deps: CheckpointDeps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/{month}/signed`,
      operationId: 'exportStatement',
      tag: 'Balance',
      summary: 'The signed statement of a month, which can be verified without the service.',
      access: 'member',
      needs: 'money',
      file: 'application/json',
    },
    ({ params, scope, reply }) => sendStatement(deps, admitted(scope), params.month, reply),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{month}/pdf`,
      operationId: 'printStatement',
      tag: 'Balance',
      summary: 'The signed statement of a month, for people.',
      access: 'member',
      needs: 'money',
      query: Type.Object({ language: Type.Optional(oneOf(...languageTags)) }),
      file: 'application/pdf',
    },
    async ({ params, query, scope, member, request, reply }) => {
      const { month } = params;
      const organizationName = member.membership.organization_name;
      // As a recipient's page: what was chosen, else the organization's, else the browser's.
      const program = await showProgram(deps, scope.organizationId);
      const language = chooseLanguage([query.language, program.language], request.headers['accept-language']);
      const file = await drawStatement(deps, admitted(scope), { month, organizationName, language });
      return reply
        .header('Content-Type', 'application/pdf')
        .header('Content-Language', language)
        .header('Content-Disposition', `attachment; filename="statement-${scope.environment}-${month}.pdf"`)
        .send(file);
    },
  );
}
