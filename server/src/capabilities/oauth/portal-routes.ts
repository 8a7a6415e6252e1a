import { Type } from 'typebox';
import { NO_LIMITS } from '../../core/grants/grant.ts';
import { grantBody, Preset, presets } from '../../faces/portal-access/grant-schema.ts';
import { readParameter } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { nullable } from '../../platform/api/schema.ts';
import { PERMISSIONS } from '../../platform/authentication/permissions.ts';
import type { AssistantDeps } from './assistants.ts';

const Permission = Type.Enum([...PERMISSIONS]);

const Connection = Type.Object({
  client: Type.Object({
    name: Type.String({ description: 'What the program calls itself. No one has checked it.' }),
    site: nullable(Type.String({ description: 'The site that vouches for the program.' })),
    goes_to: nullable(Type.String({ description: 'The host that gets the answer; null: a program on this device.' })),
  }),
  permissions: Type.Array(Permission, { description: 'What it asks for, besides reading.' }),
  presets: Type.Array(Preset),
});

const GoOn = Type.Object({ redirect_to: Type.String({ description: 'Where the browser goes on.' }) });

const PATH = '/connections/{connection_id}';

/** The sign-in of an assistant, as its person sees it (docs/agents.md). */
export function connectionRoutes(register: Register, deps: AssistantDeps): void {
  const { assistants } = deps;
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'getConnection',
      tag: 'Agents',
      summary: 'What an assistant asks for. Only the browser in which its sign-in began gets it.',
      access: 'person',
      response: Connection,
    },
    async ({ params, request, reply }) => {
      const { client, permissions } = await assistants.find({ request, reply }, params.connection_id);
      return { client, permissions: [...permissions], presets };
    },
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/decline`,
      operationId: 'declineConnection',
      tag: 'Agents',
      summary: 'Tells an assistant that the person declined.',
      access: 'person',
      response: GoOn,
    },
    async ({ params, request, reply }) => ({
      redirect_to: await assistants.decline({ request, reply }, params.connection_id),
    }),
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/connections/{connection_id}',
      operationId: 'agreeToConnection',
      tag: 'Agents',
      summary: 'Creates the grant of an assistant, which gets its tokens itself. All admins get an email.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object(grantBody),
      response: GoOn,
    },
    async ({ params, scope, member, request, reply, body: { name, limits, expires_at, ...terms } }) => ({
      redirect_to: await assistants.agree({ request, reply }, params.connection_id, {
        organizationId: params.organization_id,
        environment: scope.environment,
        name,
        terms,
        limits: { ...NO_LIMITS, ...limits },
        expiresAt: readParameter('expires_at', expires_at),
        actor: member.actor,
      }),
    }),
  );
}
