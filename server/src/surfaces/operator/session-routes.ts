import { Type } from 'typebox';
import { recordOperatorEvent } from '../../capabilities/operators/operator-log.ts';
import { requireOwnOrigin } from '../../faces/portal-access/access.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { oneOf, Time } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorAccess } from './access.ts';

const PATH = '/session';

const OperatorSession = Type.Object(
  {
    email: Type.String(),
    proved_at: Time,
    expires_at: Time,
    service: Type.Object({
      currency: Type.String({ description: 'ISO 4217; amounts are cents of it.' }),
      public_url: Type.String(),
      environments: Type.Array(oneOf('live', 'sandbox')),
      approval_above: Type.Integer({ description: 'Cents above which a second person approves; 0: never.' }),
    }),
  },
  { $id: 'OperatorSession' },
);

/** The operator's session: its cookie is its own, and no other session begins without a second factor. */
export function operatorSessionRoutes(addRoute: AddRoute, deps: AllDeps, access: OperatorAccess): void {
  const { config } = deps;
  const present = ({ email, provedAt, expiresAt }: Awaited<ReturnType<OperatorAccess['begin']>>) => ({
    email,
    proved_at: provedAt,
    expires_at: expiresAt,
    service: {
      currency: config.currency,
      public_url: deps.publicUrl(),
      environments: config.serveEnvironments,
      approval_above: config.approvalAboveCents,
    },
  });
  const onPage = {
    onRequest: async (request: Parameters<OperatorAccess['requirePage']>[0]) => {
      requireOwnOrigin(deps, request);
      await access.requirePage(request);
    },
  };

  addRoute(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showOperatorSession',
      tag: 'Session',
      summary: 'The operator of this session.',
      access: 'operator',
      response: OperatorSession,
    },
    async ({ request }) => present(await access.requireOperator(request)),
    onPage,
  );

  addRoute(
    {
      method: 'POST',
      path: PATH,
      operationId: 'beginOperatorSession',
      tag: 'Session',
      summary: 'Begins a session of at most an hour, right after a sign-in to the portal with a second factor.',
      access: 'person',
      response: OperatorSession,
    },
    async ({ request, reply }) => {
      const session = await access.begin(request, reply);
      await recordOperatorEvent(deps, {
        operator: session.email,
        address: request.ip,
        action: 'beginOperatorSession',
        details: {},
      });
      return present(session);
    },
    onPage,
  );

  addRoute(
    {
      method: 'DELETE',
      path: PATH,
      operationId: 'endOperatorSession',
      tag: 'Session',
      summary: 'Ends the session.',
      access: 'person',
    },
    async ({ request, reply }) => {
      await access.end(request, reply);
      return reply.code(204).send();
    },
    onPage,
  );
}
