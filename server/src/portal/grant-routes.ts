import { Type } from 'typebox';
import { Cents, Environment, Name, nullable, Time } from '../api/schema.ts';
import { PERMISSIONS } from '../authentication/permissions.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { createGrant } from '../grants/create-grant.ts';
import { MAX_ACTIVE_GRANTS, NO_LIMITS, PRESETS } from '../grants/grant.ts';
import { type ListedGrant, listGrants } from '../grants/list-grants.ts';
import { replaceToken } from '../grants/replace-token.ts';
import { revokeGrant } from '../grants/revoke-grant.ts';
import { setLimits } from '../grants/set-limits.ts';
import { Moment, readParameter } from './list-schema.ts';
import { Overlap } from './overlap-schema.ts';
import type { Register } from './register.ts';

const Permissions = Type.Array(Type.Enum([...PERMISSIONS]), { uniqueItems: true });
const Reach = Type.Union([Type.Literal('own'), Type.Literal('all')]);

const terms = {
  permissions: Permissions,
  reach: Reach,
  recipient_domains: nullable(Type.Array(Type.String({ maxLength: 253 }), { minItems: 1, maxItems: 100 })),
  members_only: Type.Boolean(),
  categories: nullable(Type.Array(Type.String({ maxLength: 63 }), { minItems: 1, maxItems: 100 })),
};

const Limit = nullable(
  Type.Object({
    cap: Cents,
    spent: Type.Integer({ description: 'Cents in the hour or day that has begun (UTC), or ever. 0 for the others.' }),
  }),
);

const Grant = Type.Object(
  {
    grant_id: Type.String(),
    environment: Environment,
    name: Type.String(),
    hint: Type.String({ description: 'Prefix and last four characters of the newest token.' }),
    key_ids: Type.Array(Type.String(), {
      description: 'Of its tokens, newest first: orders and the log of requests name them.',
    }),
    ...terms,
    limits: Type.Object({ order: Limit, recipient: Limit, hour: Limit, day: Limit, life: Limit }),
    ask_above: nullable(Type.Integer({ description: 'Cents: an order above it waits until an admin approves it.' })),
    created_by: Type.String(),
    created_at: Time,
    last_used_at: nullable(Time),
    expires_at: nullable(Time),
    revoked_at: nullable(Time),
    is_active: Type.Boolean({
      description: 'Neither revoked nor expired, and the member who made it is still an active admin.',
    }),
  },
  { $id: 'Grant' },
);

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no limit',
});
const AskAbove = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: 'Cents. An order above it waits until an admin approves it; 0: each order; null: none.',
  'x-rule': 'must be an amount, or left out to ask for no order',
});
const Limits = Type.Object(
  { order: Amount, recipient: Amount, hour: Amount, day: Amount, life: Amount, ask_above: Type.Optional(AskAbove) },
  { additionalProperties: false },
);

const Preset = Type.Object({
  preset: Type.String(),
  title: Type.String(),
  permissions: Permissions,
  reach: Reach,
  limits: Limits,
});

const GrantList = Type.Object({
  data: Type.Array(Grant),
  presets: Type.Array(Preset),
  active: Type.Integer({ description: 'Active grants of both environments.' }),
  most_active: Type.Integer({ description: 'The limit.' }),
});

const CreatedGrant = Type.Object({
  grant_id: Type.String(),
  token: Type.String({ description: 'The whole token. No other answer shows it.' }),
});

const PATH = '/organizations/{organization_id}/{environment}/grants';
const presets = Object.entries(PRESETS).map(([preset, rest]) => ({
  preset,
  ...rest,
  permissions: [...rest.permissions],
}));

/** What agents may do (docs/agents.md). */
export function grantRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGrants',
      tag: 'Agents',
      summary: 'The grants of agents in an environment: active first, newest first.',
      access: 'member',
      response: GrantList,
    },
    async ({ params, scope }) => {
      const grants = await listGrants(deps, params.organization_id);
      const shown = grants.filter(({ environment }) => environment === scope.environment).map(present);
      return {
        data: [...shown.filter((grant) => grant.is_active), ...shown.filter((grant) => !grant.is_active)],
        presets,
        active: grants.filter((grant) => grant.is_active).length,
        most_active: MAX_ACTIVE_GRANTS,
      };
    },
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createGrant',
      tag: 'Agents',
      summary: 'Creates the grant of an agent and returns its token. All admins get an email.',
      access: 'admin',
      needsFreshSignIn: true,
      body: Type.Object({ name: Name, ...terms, limits: Limits, expires_at: Type.Optional(Moment) }),
      response: CreatedGrant,
    },
    ({ params, scope, body: { name, limits, expires_at, ...given }, member }) =>
      createGrant(deps, {
        ...{ organizationId: params.organization_id, environment: scope.environment, name, terms: given },
        limits: { ...NO_LIMITS, ...limits },
        ...{ expiresAt: readParameter('expires_at', expires_at), actor: member.actor },
      }),
  );

  addChangeRoutes(register, deps);
  addRevokeRoute(register, deps);
}

function addChangeRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: `${PATH}/{grant_id}/limits`,
      operationId: 'setGrantLimits',
      tag: 'Agents',
      summary: 'Sets what an agent’s orders may cost. If a limit is raised, all admins get an email.',
      access: 'admin',
      needsFreshSignIn: true,
      body: Limits,
      response: Grant,
    },
    async ({ params, scope, body, member }) => {
      await requireGrant(deps, params, scope);
      const owner = { organizationId: params.organization_id, environment: scope.environment };
      await setLimits(deps, { ...owner, grantId: params.grant_id, limits: body, actor: member.actor });
      return present(await requireGrant(deps, params, scope));
    },
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/{grant_id}/token`,
      operationId: 'replaceGrantToken',
      tag: 'Agents',
      summary: 'Gives a grant another token; the old one works for so many hours more. All admins get an email.',
      access: 'admin',
      needsFreshSignIn: true,
      body: Overlap,
      response: CreatedGrant,
    },
    async ({ params, scope, body, member }) => {
      await requireGrant(deps, params, scope);
      const grant = { organizationId: params.organization_id, grantId: params.grant_id };
      return replaceToken(deps, { ...grant, overlapHours: body.overlap_hours, actor: member.actor });
    },
  );
}

function addRevokeRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{grant_id}/revoke`,
      operationId: 'revokeGrant',
      tag: 'Agents',
      summary: 'Revokes a grant permanently.',
      access: 'admin',
      // A stolen token would work again after the suspension.
      isPossibleWhileSuspended: true,
      response: Grant,
    },
    async ({ params, scope, member }) => {
      await requireGrant(deps, params, scope);
      const grant = { organizationId: params.organization_id, grantId: params.grant_id };
      return present(await revokeGrant(deps, { ...grant, actor: member.actor }));
    },
  );
}

const present = ({ permissions, recipient_domains, categories, ...grant }: ListedGrant) => ({
  ...grant,
  permissions: [...permissions],
  recipient_domains: recipient_domains && [...recipient_domains],
  categories: categories && [...categories],
});

/** @throws BestowError `not_found` unless the grant is of this organization and mode */
async function requireGrant(
  deps: Deps,
  { organization_id, grant_id }: { organization_id: string; grant_id: string },
  { environment }: Scope,
): Promise<ListedGrant> {
  const grants = await listGrants(deps, organization_id);
  const grant = grants.find((one) => one.grant_id === grant_id && one.environment === environment);
  if (grant === undefined) throw new BestowError('not_found');
  return grant;
}
