import { Type } from 'typebox';
import { needsApproval, requestApproval } from '../../core/balances/approvals.ts';
import { changeOrRepeat } from '../../core/balances/change-balance.ts';
import { isUnusual } from '../../core/balances/is-unusual.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const MOST = Number.MAX_SAFE_INTEGER;

const Change = Type.Object(
  {
    state: oneOf('done', 'repeated', 'waiting'),
    balance: nullable(Type.Integer({ description: 'Cents after the change; null while it waits.' })),
    entry_id: nullable(Type.String()),
    approval_id: nullable(Type.String({ description: 'Set while a second person must approve it.' })),
  },
  { $id: 'OperatedChange' },
);

/** Changes of balances, as `bestow balance` makes them. A large one waits for a second person. */
export function balanceRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/balance',
      operationId: 'changeBalance',
      tag: 'Money',
      summary: 'Adds funds, or corrects a balance. The same reference again changes nothing.',
      body: Type.Object({
        kind: oneOf('funding', 'adjustment'),
        amount: Type.Integer({
          minimum: -MOST,
          maximum: MOST,
          description: 'Cents; only a correction may be negative.',
        }),
        reference: Type.String({ minLength: 1, maxLength: 200, description: 'Unique name of this change.' }),
        is_sure: Type.Optional(Type.Boolean({ description: 'Of an amount far beyond the usual.' })),
        reason: Reason,
      }),
      response: Change,
    },
    async ({
      params,
      scope,
      body: { kind, amount: amountCents, reference, is_sure: isSure = false, reason },
      actor,
    }) => {
      if (amountCents === 0 || (kind === 'funding' && amountCents < 0))
        throw new BestowError('parameter_invalid', {
          param: 'amount',
          message: kind === 'funding' ? 'amount must be above zero.' : 'amount must not be zero.',
        });
      const { environment } = scope;
      const organizationId = params.organization_id;
      const note = reason;
      const input = { organizationId, environment, kind, amountCents, reference, note, actor };
      if (!isSure && (await isUnusual(deps, input)))
        throw new BestowError('parameter_invalid', {
          param: 'is_sure',
          message: `${formatMoney(amountCents, deps.config.currency)} is far beyond what this organization got before. Confirm the amount.`,
        });
      if (needsApproval(deps, amountCents)) {
        const { approval_id, state, entry_id } = await requestApproval(deps, input);
        return {
          state: state === 'waiting' ? ('waiting' as const) : ('repeated' as const),
          balance: null,
          entry_id,
          approval_id,
        };
      }
      const { change, isRepeated } = await changeOrRepeat(deps, input);
      return {
        state: isRepeated ? ('repeated' as const) : ('done' as const),
        balance: change.balance,
        entry_id: change.entry_id,
        approval_id: null,
      };
    },
    ({ body }) => ({ kind: body.kind, amount: String(body.amount), reference: body.reference }),
  );
}
