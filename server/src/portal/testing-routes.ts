import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { hasOutboxPage } from '../outbox/routes.ts';
import { type SteeringEffect, steeringAddresses } from '../sandbox/steering.ts';
import type { Register } from './register.ts';

const Testing = Type.Object(
  {
    steering: Type.Array(
      Type.Object({
        effect: Type.Unsafe<SteeringEffect>(Type.Union(steeringAddresses.map(({ effect }) => Type.Literal(effect)))),
        emails: Type.Array(Type.String()),
        phone: Type.String(),
        description: Type.String({ description: 'What happens; names of the API stand between backticks.' }),
      }),
    ),
    has_outbox: Type.Boolean({ description: 'Whether `/outbox` shows the messages to whoever sits at this machine.' }),
  },
  { $id: 'Testing' },
);

/** What helps in trying the API out. */
export function testingRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/testing',
      operationId: 'showTesting',
      tag: 'Testing',
      summary: 'The addresses that decide what becomes of a gift in the sandbox.',
      access: 'person',
      response: Testing,
    },
    () => ({
      steering: steeringAddresses.map(({ effect, localParts, phone, description }) => ({
        effect,
        emails: localParts.map((localPart) => `${localPart}@${deps.config.sandboxMailDomain}`),
        phone,
        description,
      })),
      has_outbox: hasOutboxPage(deps.config, deps.publicUrl()),
    }),
  );
}
