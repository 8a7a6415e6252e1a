import { Type } from 'typebox';
import { setCaps } from '../../core/caps/set-caps.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { nullable } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no cap',
});

/** The caps of an organization. Here all are sent; `bestow cap` leaves those that stay. */
export function capRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'PUT',
      path: '/organizations/{organization_id}/{environment}/spending-caps',
      operationId: 'setSpendingCaps',
      tag: 'Organizations',
      summary: 'Sets what orders may cost per hour and day. If a cap is raised, all admins get a mail.',
      body: Type.Object({
        key_id: nullable(Type.String({ maxLength: 60, description: 'Null: all orders of the environment.' })),
        hour: Amount,
        day: Amount,
        reason: Reason,
      }),
    },
    async ({ params, scope, body: { key_id: keyId, hour, day }, actor }) => {
      await setCaps(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        keyId: keyId ?? undefined,
        amounts: { hour, day },
        actor,
      });
    },
  );
}
