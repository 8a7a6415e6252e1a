import type { Deps } from '../../../core/deps.ts';
import type { SignIn } from '../../../faces/portal-access/session.ts';
import type { ConnectionTarget } from '../../../platform/database/connections.ts';

export type SignInDeps = Pick<
  Deps,
  'config' | 'publicUrl' | 'log' | 'database' | 'clock' | 'ids' | 'tracer' | 'cipher'
> & {
  /** The database of people. */
  target: ConnectionTarget;
  linkSecrets: readonly string[];
};

/** From the sign-in, however often the session is used. */
const LONGEST_SESSION_MS = 30 * 86_400_000;

/** Loads its library at the first use, because the library takes 20 MB. */
export function createSignIn(deps: SignInDeps): SignIn {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => (await import('./open-auth.ts')).openAuth(deps);
  const use = () => {
    opened ??= open();
    return opened;
  };

  return {
    async handle(request) {
      const response = await (await use()).auth.handler(request);
      if (response.status === 500) deps.log.error({ from: 'better-auth' }, await response.clone().text());
      return response;
    },
    async findSession(headers) {
      if (!headers.has('cookie')) return undefined;
      const { auth } = await use();
      const answer = await auth.api.getSession({ headers, returnHeaders: true }).catch(nullIfEnded);
      if (!answer?.response) return undefined;
      const { session, user } = answer.response;
      if (deps.clock.now() - session.createdAt.getTime() > LONGEST_SESSION_MS) {
        // The library has no such limit and would accept the session.
        await (await auth.$context).internalAdapter.deleteSession(session.token);
        return undefined;
      }
      return {
        sessionId: session.id,
        userId: user.id,
        email: user.email,
        hasSecondFactor: user.twoFactorEnabled === true,
        isTwoFactor: session.hasSecondFactor === true,
        provedAt: session.provedAt ?? session.createdAt,
        extendedCookies: answer.headers.getSetCookie(),
      };
    },
    async listSessions(own) {
      const { internalAdapter } = await (await use()).auth.$context;
      const sessions = await internalAdapter.listSessions(own.userId, { onlyActiveSessions: true });
      return sessions
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .map(({ id, createdAt, updatedAt, ipAddress, userAgent }) => ({
          session_id: id,
          is_this_one: id === own.sessionId,
          signed_in_at: createdAt,
          last_used_at: updatedAt,
          ip_address: ipAddress || null,
          user_agent: userAgent || null,
        }));
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** A concurrent call ended the session while this call extended it. */
function nullIfEnded(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return null;
  throw error;
}
