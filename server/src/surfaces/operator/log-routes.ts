import { Type } from 'typebox';
import { listOperatorEvents } from '../../capabilities/operators/operator-log.ts';
import { listOperators } from '../../capabilities/operators/operators.ts';
import { nullable, Time } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const PAGE_SIZE = 50;

const OperatorEvent = Type.Object(
  {
    event_id: Type.String(),
    operator: Type.String({ description: 'An email address, or the user who ran a command.' }),
    action: Type.String({ description: 'The operation of this page, or of the command.' }),
    details: Type.Record(Type.String(), Type.String()),
    reason: nullable(Type.String()),
    address: Type.String({ description: 'The client’s IP address, or the host.' }),
    created_at: Time,
  },
  { $id: 'OperatorEvent' },
);

/** What operators looked at and did, and who they are. The command alone names and removes them. */
export function logRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: '/log',
      operationId: 'listOperatorEvents',
      tag: 'Log',
      summary: 'What operators looked at and did, newest first. The database refuses changes to it.',
      query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 40 })) }),
      response: Type.Object({ data: Type.Array(OperatorEvent), has_more: Type.Boolean() }),
    },
    async ({ query: { after } }) => {
      const events = await listOperatorEvents(deps, { after, limit: PAGE_SIZE + 1 });
      return { data: events.slice(0, PAGE_SIZE), has_more: events.length > PAGE_SIZE };
    },
  );

  register(
    {
      method: 'GET',
      path: '/operators',
      operationId: 'listOperators',
      tag: 'Log',
      summary: 'The people who may open this page.',
      response: Type.Object({
        data: Type.Array(
          Type.Object({
            email: Type.String(),
            added_by: Type.String(),
            created_at: Time,
            last_session_at: nullable(Time),
            has_second_factor: Type.Boolean(),
          }),
        ),
      }),
    },
    async () => ({ data: await listOperators(deps) }),
  );
}
