import { Type } from 'typebox';
import { Environment, nullable, Time } from '../api/schema.ts';
import { type Action, actions } from '../audit/actions.ts';
import { listEvents } from '../audit/list-events.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf, pageQuery, periodQuery, readPage, readPeriod } from './list-schema.ts';
import type { Register } from './register.ts';

const AuditAction = Type.Unsafe<Action>({ anyOf: actions.map((action) => Type.Literal(action)) });

const AuditEvent = Type.Object(
  {
    event_id: Type.String(),
    environment: nullable(Environment),
    action: Type.String({ description: 'One that can be looked for, or one of a newer version.' }),
    sentence: Type.String({ description: 'What was done; before it stands who did it.' }),
    target: nullable(Type.String({ description: 'The id of what was changed.' })),
    actor: Type.Object({
      kind: Type.Union([Type.Literal('member'), Type.Literal('operator')]),
      member_id: nullable(Type.String()),
      name: Type.String(),
      address: Type.String({ description: 'A member’s IP address, the operator’s host.' }),
    }),
    created_at: Time,
  },
  { $id: 'AuditEvent' },
);

/** The audit log. Nothing here changes it, and nobody can: the database refuses. */
export function auditRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/{environment}/audit-events',
      operationId: 'listAuditEvents',
      tag: 'Audit log',
      summary: 'What was done in an environment and about the organization as a whole, the latest first.',
      access: 'member',
      query: Type.Object({
        action: Type.Optional(AuditAction),
        actor: Type.Optional(Type.String({ description: 'Part of the name of who did it, in any spelling.' })),
        ...periodQuery,
        ...pageQuery,
      }),
      response: pageOf(AuditEvent),
    },
    async ({ scope, query: { action, actor, ...query } }) => {
      const { from: since, to: until } = readPeriod(query);
      const page = await listEvents(deps, {
        organizationId: scope.organizationId,
        page: readPage(query),
        filters: { environment: scope.environment, action, actor, since, until },
      });
      return pageAnswer(page);
    },
  );
}
