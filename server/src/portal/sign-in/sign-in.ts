import type { ConnectionTarget } from '../../database/connections.ts';
import type { Deps } from '../../deps.ts';

/** Who is signed in. */
export interface Session {
  /** The session's own id, for the person's list of sessions. */
  sessionId: string;
  userId: string;
  /** The address that the code was sent to; memberships are found by it. */
  email: string;
  hasSecondFactor: boolean;
  signedInAt: Date;
  /** `Set-Cookie` of a session that this use prolonged: without it the browser forgets the session while the server keeps it. */
  prolongedCookies: readonly string[];
}

/** One of a person's sessions, as the person sees it. */
interface ListedSession {
  session_id: string;
  is_this_one: boolean;
  signed_in_at: Date;
  last_used_at: Date;
  ip_address: string | null;
  user_agent: string | null;
}

/** The portal's sign-in; the library behind it is loaded at the first use, because it takes 20 MB. */
export interface SignIn {
  /** Answers a call below `AUTH_PATH`. */
  handle(request: Request): Promise<Response>;
  /** Whose session the cookie is; undefined where it is none, or has ended. What is past its longest life is deleted. */
  findSession(headers: Headers): Promise<Session | undefined>;
  /** Where the person is signed in, the latest sign-in first. */
  listSessions(own: Session): Promise<ListedSession[]>;
  /** Signs out one of the person's own sessions; false where it is nobody's or someone else's. */
  endSession(own: Session, sessionId: string): Promise<boolean>;
  close(): Promise<void>;
}

/** What the sign-in is made of. */
export type SignInDeps = Pick<Deps, 'publicUrl' | 'log' | 'database' | 'clock' | 'ids' | 'jobs' | 'seal'> & {
  target: ConnectionTarget;
  linkSecrets: readonly string[];
};

/** However much it is used, a session ends so long after its sign-in. */
const LONGEST_SESSION_MS = 30 * 86_400_000;

export function createSignIn(deps: SignInDeps): SignIn {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => (await import('./open-auth.ts')).openAuth(deps);
  const use = () => {
    opened ??= open();
    return opened;
  };

  return {
    async handle(request) {
      return (await use()).auth.handler(request);
    },
    async findSession(headers) {
      if (!headers.has('cookie')) return undefined;
      const { auth } = await use();
      const answer = await auth.api.getSession({ headers, returnHeaders: true }).catch(nullWhereEnded);
      if (!answer?.response) return undefined;
      const { session, user } = answer.response;
      if (deps.clock.now() - session.createdAt.getTime() > LONGEST_SESSION_MS) {
        // The library knows no such end, and would go on to take the session for a good one.
        await (await auth.$context).internalAdapter.deleteSession(session.token);
        return undefined;
      }
      return {
        sessionId: session.id,
        userId: user.id,
        email: user.email,
        hasSecondFactor: user.twoFactorEnabled === true,
        signedInAt: session.createdAt,
        prolongedCookies: answer.headers.getSetCookie(),
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
    async endSession(own, sessionId) {
      const { internalAdapter } = await (await use()).auth.$context;
      const sessions = await internalAdapter.listSessions(own.userId);
      const ended = sessions.find(({ id }) => id === sessionId);
      if (ended === undefined) return false;
      await internalAdapter.deleteSession(ended.token);
      return true;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Another call ended the session while this one was to prolong it. */
function nullWhereEnded(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return null;
  throw error;
}
