import type { Deps } from '../../core/deps.ts';

/** A signed-in person's session. */
export interface Session {
  /** For the person's list of sessions. */
  sessionId: string;
  userId: string;
  /** The address of the code; identifies the memberships. */
  email: string;
  hasSecondFactor: boolean;
  /** Whether a passkey or the authenticator app proved this session. */
  isTwoFactor: boolean;
  /** The sign-in, or a later proof of the second factor. */
  provedAt: Date;
  /** `Set-Cookie` headers if this use extended the session. */
  extendedCookies: readonly string[];
}

/** A session in the person's list. */
interface ListedSession {
  session_id: string;
  is_this_one: boolean;
  signed_in_at: Date;
  last_used_at: Date;
  ip_address: string | null;
  user_agent: string | null;
}

/** The portal's sign-in. */
export interface SignIn {
  /** Answers a call below `AUTH_PATH`. */
  handle(request: Request): Promise<Response>;
  /** Finds the cookie's session; undefined without a valid session. Deletes a session over thirty days old. */
  findSession(headers: Headers): Promise<Session | undefined>;
  /** Lists the person's sessions, latest sign-in first. */
  listSessions(own: Session): Promise<ListedSession[]>;
  close(): Promise<void>;
}

/** Dependencies of the portal's operations. */
export interface PortalDeps extends Deps {
  signIn: SignIn;
}
