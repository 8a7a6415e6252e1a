import { Type } from 'typebox';
import { nullable, Time } from '../api/schema.ts';
import type { Deps } from '../deps.ts';
import { findMemberships } from '../organizations/find-memberships.ts';
import type { Register } from './register.ts';
import { recordSignInChange } from './sign-in/record-sign-in-change.ts';

const Me = Type.Object({
  email: Type.String(),
  has_second_factor: Type.Boolean(),
  memberships: Type.Array(
    Type.Object({
      organization_id: Type.String(),
      organization_name: Type.String(),
      member_id: Type.String(),
      role: Type.Union([Type.Literal('admin'), Type.Literal('member')]),
      is_suspended: Type.Boolean(),
      has_sandbox: Type.Boolean(),
    }),
  ),
  service: Type.Object({
    currency: Type.String({ description: 'ISO 4217; amounts are cents of it.' }),
    sandbox_mail_domain: Type.String(),
    api_url: Type.String(),
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
export function sessionRoutes(register: Register, deps: Deps): void {
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
      has_second_factor: session.hasSecondFactor,
      memberships: await findMemberships(deps, session.email),
      service: {
        currency: deps.config.currency,
        sandbox_mail_domain: deps.config.sandboxMailDomain,
        api_url: deps.publicUrl(),
      },
    }),
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
    async ({ session, params, request }) => {
      const hasEnded = await deps.signIn.endSession(session, params.session_id);
      // Ending the current session is a sign-out.
      if (hasEnded && params.session_id !== session.sessionId)
        await recordSignInChange(deps, { email: session.email, address: request.ip }, 'session_ended');
    },
  );
}
