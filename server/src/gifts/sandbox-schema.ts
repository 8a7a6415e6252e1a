import { Type } from 'typebox';

export const NewDeliveryOutcome = Type.Object(
  {
    outcome: Type.Optional(
      Type.Unsafe<'delivered' | 'failed'>({
        type: 'string',
        enum: ['delivered', 'failed'],
        default: 'delivered',
        description: 'How the delivery ends.',
      }),
    ),
  },
  { $id: 'NewDeliveryOutcome', description: 'How a pending delivery ends.', additionalProperties: false },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const SandboxResetResult = Type.Object(
  {
    object: Type.Literal('sandbox_reset'),
    orders_deleted: count('How many orders were deleted.'),
    gifts_deleted: count('How many gifts were deleted.'),
    balances_deleted: count('How many balances were deleted.'),
    ledger_entries_deleted: count('How many entries of the balance’s ledger were deleted.'),
  },
  { $id: 'SandboxResetResult', description: 'What a reset deleted.', additionalProperties: false },
);
