import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import {
  pageAnswer,
  pageOf,
  pageQuery,
  periodQuery,
  readPage,
  readPeriod,
} from '../../core/portal-access/list-schema.ts';
import type { Register } from '../../core/portal-access/register.ts';
import { Environment, nullable, Time } from '../../platform/api/schema.ts';
import { type Action, actions } from '../../platform/audit/actions.ts';
import { listEvents } from '../../platform/audit/list-events.ts';

const AuditAction = Type.Unsafe<Action>({ anyOf: actions.map((action) => Type.Literal(action)) });

const AuditEvent = Type.Object(
  {
    event_id: Type.String(),
    environment: nullable(Environment),
    action: Type.String({ description: 'An action of the filter, or one of a newer version.' }),
    sentence: Type.String({ description: 'What was done. Show it after the actor’s name.' }),
    target: nullable(Type.String({ description: 'The id of the changed object.' })),
    actor: Type.Object({
      kind: Type.Union([
        Type.Literal('member'),
        Type.Literal('operator'),
        Type.Literal('key'),
        Type.Literal('recipient'),
      ]),
      member_id: nullable(Type.String()),
      name: Type.String(),
      address: Type.String({ description: 'The IP address of a member or a key’s client, the operator’s host.' }),
    }),
    created_at: Time,
  },
  { $id: 'AuditEvent' },
);

/** The audit log. The database refuses changes to it. */
export function auditRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/{environment}/audit-events',
      operationId: 'listAuditEvents',
      tag: 'Audit log',
      summary: 'The events of an environment and of the whole organization, latest first.',
      access: 'member',
      query: Type.Object({
        action: Type.Optional(AuditAction),
        actor: Type.Optional(Type.String({ description: 'Part of the actor’s name; case does not matter.' })),
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
