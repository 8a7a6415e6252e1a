import { type Static, Type } from 'typebox';
import { refTo } from '../../../platform/api/schema.ts';

const DeliveryResult = Type.Unsafe<'delivered' | 'failed'>({
  $id: 'DeliveryResult',
  type: 'string',
  enum: ['delivered', 'failed'],
  description: 'How the delivery ends.',
});

export const DeliveryOutcome = Type.Object(
  {
    outcome: Type.Optional(
      Type.Unsafe<Static<typeof DeliveryResult>>({ ...refTo(DeliveryResult), default: 'delivered' }),
    ),
  },
  { $id: 'DeliveryOutcome', description: 'How a pending delivery ends.', additionalProperties: false },
);

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description });

export const SandboxResetResult = Type.Object(
  {
    object: Type.Literal('sandbox_reset'),
    orders_deleted: count('How many orders were deleted.'),
    gifts_deleted: count('How many gifts were deleted.'),
    balances_deleted: count('How many balances were deleted.'),
    ledger_entries_deleted: count('How many entries of the balance’s ledger were deleted.'),
  },
  { $id: 'SandboxResetResult', description: 'What a reset deleted.' },
);
