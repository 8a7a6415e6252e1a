import { Type } from 'typebox';
import { PRESETS } from '../../core/grants/grant.ts';
import { Name, nullable } from '../../platform/api/schema.ts';
import { PERMISSIONS } from '../../platform/authentication/permissions.ts';
import { Moment } from './list-schema.ts';

const Permissions = Type.Array(Type.Enum([...PERMISSIONS]), { uniqueItems: true });
const Reach = Type.Union([Type.Literal('own'), Type.Literal('all')]);

/** What a grant includes, and for whom. */
export const terms = {
  permissions: Permissions,
  reach: Reach,
  recipient_domains: nullable(Type.Array(Type.String({ maxLength: 253 }), { minItems: 1, maxItems: 100 })),
  members_only: Type.Boolean(),
  categories: nullable(Type.Array(Type.String({ maxLength: 63 }), { minItems: 1, maxItems: 100 })),
};

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no limit',
});
const AskAbove = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: 'Cents. An order above it waits until an admin approves it; 0: each order; null: none.',
  'x-rule': 'must be an amount, or left out to ask for no order',
});
export const Limits = Type.Object(
  { order: Amount, recipient: Amount, hour: Amount, day: Amount, life: Amount, ask_above: Type.Optional(AskAbove) },
  { additionalProperties: false },
);

export const Preset = Type.Object({
  preset: Type.String(),
  title: Type.String(),
  permissions: Permissions,
  reach: Reach,
  limits: Limits,
});

/** A new grant. */
export const grantBody = { name: Name, ...terms, limits: Limits, expires_at: Type.Optional(Moment) };

export const presets = Object.entries(PRESETS).map(([preset, rest]) => ({
  preset,
  ...rest,
  permissions: [...rest.permissions],
}));
