import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { type SteeringEffect, steeringAddresses } from '../../core/sandbox/steering.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';

const Testing = Type.Object(
  {
    steering: Type.Array(
      Type.Object({
        effect: Type.Unsafe<SteeringEffect>(Type.Union(steeringAddresses.map(({ effect }) => Type.Literal(effect)))),
        emails: Type.Array(Type.String()),
        phone: Type.String(),
        description: Type.String({ description: 'The effect, with names of the API in backticks.' }),
      }),
    ),
    has_outbox: Type.Boolean({ description: 'Whether the outbox page shows messages on this machine.' }),
  },
  { $id: 'Testing' },
);

/** The test addresses of the sandbox. */
export function testingRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/testing',
      operationId: 'showTesting',
      tag: 'Testing',
      summary: 'The test addresses that steer a sandbox gift.',
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
