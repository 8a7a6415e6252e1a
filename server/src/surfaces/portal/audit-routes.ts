import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { seesPeople } from '../../faces/portal-access/access.ts';
import {
  pageAnswer,
  pageOf,
  pageQuery,
  periodQuery,
  readPage,
  readPeriod,
} from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { AuditEvent } from '../../platform/audit/event-schema.ts';
import { type Action, actions, listAuditEvents } from '../audit-log.ts';

const AuditAction = Type.Unsafe<Action>({ anyOf: actions.map((action) => Type.Literal(action)) });

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
      needs: 'activity',
      query: Type.Object({
        action: Type.Optional(AuditAction),
        actor: Type.Optional(Type.String({ description: 'Part of the actor’s name; case does not matter.' })),
        ...periodQuery,
        ...pageQuery,
      }),
      response: pageOf(AuditEvent),
    },
    async ({ scope, member, query: { action, actor, ...query } }) => {
      const { from: since, to: until } = readPeriod(query);
      const page = await listAuditEvents(deps, {
        organizationId: scope.organizationId,
        page: readPage(query),
        filters: { environment: scope.environment, action, actor, since, until },
        seesPeople: seesPeople(member),
      });
      return pageAnswer(page);
    },
  );
}
