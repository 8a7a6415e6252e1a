import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { createGrant } from '../../core/grants/create-grant.ts';
import { MAX_ACTIVE_GRANTS, NO_LIMITS } from '../../core/grants/grant.ts';
import { type ListedGrant, listGrants } from '../../core/grants/list-grants.ts';
import { replaceToken } from '../../core/grants/replace-token.ts';
import { revokeGrant } from '../../core/grants/revoke-grant.ts';
import { setLimits } from '../../core/grants/set-limits.ts';
import { grantBody, Limits, Preset, presets, terms } from '../../faces/portal-access/grant-schema.ts';
import { readParameter } from '../../faces/portal-access/list-schema.ts';
import { Overlap } from '../../faces/portal-access/overlap-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, Environment, nullable, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';

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
    client_name: nullable(
      Type.String({
        description: 'What an assistant calls itself that a member signed in; null: its token was copied.',
      }),
    ),
    hint: nullable(
      Type.String({ description: 'Prefix and last four characters of the newest token, if there is one.' }),
    ),
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
      description: 'Neither revoked nor expired, and the member who made it is active and may change agents.',
    }),
  },
  { $id: 'Grant' },
);

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
      needs: 'integrations',
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
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object(grantBody),
      response: CreatedGrant,
    },
    ({ params, scope, body: { name, limits, expires_at, ...given }, member }) =>
      createGrant(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        name,
        terms: given,
        limits: { ...NO_LIMITS, ...limits },
        expiresAt: readParameter('expires_at', expires_at),
        actor: member.actor,
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
      access: 'member',
      needs: 'integrate',
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
      access: 'member',
      needs: 'integrate',
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
      access: 'member',
      needs: 'integrate',
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
