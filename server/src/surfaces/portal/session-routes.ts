import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { answerInvitation } from '../../core/organizations/answer-invitation.ts';
import { findInvitations } from '../../core/organizations/find-invitations.ts';
import { findMemberships } from '../../core/organizations/find-memberships.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import type { PortalDeps } from '../../faces/portal-access/session.ts';
import { nullable, Time } from '../../platform/api/schema.ts';
import { Role, RolePermissions } from '../../platform/authentication/role-schema.ts';
import { listPersonEvents } from './sign-in/person-events.ts';
import { findPersonNames, setPersonName } from './sign-in/person-names.ts';
import { endSession } from './sign-in/record-sign-in-change.ts';

const Me = Type.Object({
  email: Type.String(),
  name: nullable(Type.String()),
  has_second_factor: Type.Boolean({ description: 'Whether the person has an authenticator app.' }),
  is_two_factor: Type.Boolean({ description: 'Whether a passkey or the authenticator app proved this session.' }),
  memberships: Type.Array(
    Type.Object({
      organization_id: Type.String(),
      organization_name: Type.String(),
      member_id: Type.String(),
      role: Role,
      role_name: Type.String(),
      permissions: RolePermissions,
      is_suspended: Type.Boolean(),
      holds_gifts: Type.Boolean({ description: 'Whether all its unclaimed gifts are on hold.' }),
      has_sandbox: Type.Boolean(),
      requires_second_factor: Type.Boolean({ description: 'Of admins, before they change something.' }),
      members_may_request: Type.Boolean({ description: 'Whether members may ask admins for gifts.' }),
      language: nullable(Type.String({ description: 'Of gifts without a language of their own.' })),
    }),
  ),
  invitations: Type.Array(
    Type.Object({
      organization_id: Type.String(),
      organization_name: Type.String(),
      role: Role,
    }),
  ),
  service: Type.Object({
    currency: Type.String({ description: 'ISO 4217; amounts are cents of it.' }),
    sandbox_mail_domain: Type.String(),
    api_url: Type.String(),
    refuses_live_without_issuer: Type.Boolean({
      description: 'Whether a live gift is refused if no issuer makes its card; otherwise its card buys nothing.',
    }),
    environments: Type.Array(Type.Union([Type.Literal('live'), Type.Literal('sandbox')]), {
      description: 'The environments that this process serves.',
    }),
    operator: nullable(
      Type.Object({
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        url: nullable(Type.String()),
      }),
    ),
  }),
});

const SessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      session_id: Type.String(),
      is_this_one: Type.Boolean(),
      signed_in_at: Time,
      last_used_at: Time,
      ip_address: nullable(Type.String()),
      user_agent: nullable(Type.String()),
    }),
  ),
});

/** The signed-in person and their sessions. */
export function sessionRoutes(register: Register, deps: PortalDeps): void {
  register(
    {
      method: 'GET',
      path: '/me',
      operationId: 'getMe',
      tag: 'Session',
      summary: 'The signed-in person and their memberships.',
      access: 'person',
      response: Me,
    },
    async ({ session }) => ({
      email: session.email,
      name: (await findPersonNames(deps, [session.email])).get(session.email.toLowerCase()) ?? null,
      has_second_factor: session.hasSecondFactor,
      is_two_factor: session.isTwoFactor,
      memberships: await findMemberships(deps, session.email),
      invitations: await findInvitations(deps, session.email),
      service: {
        currency: deps.config.currency,
        sandbox_mail_domain: deps.config.sandboxMailDomain,
        api_url: deps.publicUrl(),
        refuses_live_without_issuer: !deps.config.allowsSimulatedLive,
        environments: deps.config.serveEnvironments,
        operator: deps.config.operator ?? null,
      },
    }),
  );

  register(
    {
      method: 'PUT',
      path: '/me/name',
      operationId: 'setName',
      tag: 'Session',
      summary: 'Sets the name that members of the person’s organizations see; an empty one removes it.',
      access: 'person',
      body: Type.Object({ name: Type.String({ maxLength: 400 }) }),
    },
    ({ session, body }) => setPersonName(deps, session, body.name),
  );

  addEventRoute(register, deps);
  addInvitationRoutes(register, deps);
  addSessionRoutes(register, deps);
}

function addEventRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/sign-in-events',
      operationId: 'listSignInEvents',
      tag: 'Session',
      summary: 'This person’s latest sign-ins, failures and changes of the sign-in. No organization sees them.',
      access: 'person',
      response: Type.Object({
        data: Type.Array(
          Type.Object({
            event_id: Type.String(),
            sentence: Type.String(),
            address: Type.String({ description: 'The client’s IP address.' }),
            created_at: Time,
          }),
        ),
      }),
    },
    async ({ session }) => ({ data: await listPersonEvents(deps, session.email) }),
  );
}

function addInvitationRoutes(register: Register, deps: Deps): void {
  for (const [name, operationId, summary] of [
    ['accept', 'acceptInvitation', 'Accepts an invitation; the membership begins.'],
    ['decline', 'declineInvitation', 'Declines an invitation.'],
  ] as const)
    register(
      {
        method: 'POST',
        path: `/invitations/{organization_id}/${name}`,
        operationId,
        tag: 'Session',
        summary,
        access: 'person',
      },
      ({ params, session, request }) =>
        answerInvitation(deps, {
          organizationId: params.organization_id,
          email: session.email,
          address: request.ip,
          isAccepted: name === 'accept',
        }),
    );
}

function addSessionRoutes(register: Register, deps: PortalDeps): void {
  register(
    {
      method: 'GET',
      path: '/fresh-sign-in',
      operationId: 'checkFreshSignIn',
      tag: 'Session',
      summary: 'Answers if the session is fresh enough for a download that needs it.',
      access: 'person',
      needsFreshSignIn: true,
    },
    () => undefined,
  );

  register(
    {
      method: 'GET',
      path: '/sessions',
      operationId: 'listSessions',
      tag: 'Session',
      summary: 'This person’s sessions.',
      access: 'person',
      response: SessionList,
    },
    async ({ session }) => {
      const sessions = await deps.signIn.listSessions(session);
      return { data: sessions };
    },
  );

  register(
    {
      method: 'DELETE',
      path: '/sessions/{session_id}',
      operationId: 'endSession',
      tag: 'Session',
      summary: 'Signs out one of this person’s sessions.',
      access: 'person',
    },
    ({ session, params, request }) => endSession(deps, session, { sessionId: params.session_id, address: request.ip }),
  );
}
