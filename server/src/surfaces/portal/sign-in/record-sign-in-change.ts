import type { Deps } from '../../../core/deps.ts';
import type { Session } from '../../../faces/portal-access/session.ts';
import { alertSignIn } from './alert-sign-in.ts';
import type { SignInChange } from './person-event.ts';
import * as queries from './queries.ts';

type RecordDeps = Pick<Deps, 'database' | 'clock' | 'ids' | 'log' | 'tracer'>;

/** Longer than a request takes: until then the change may still be made. */
const UNDER_WAY_MS = 5 * 60_000;
const MOST_AT_A_TIME = 1_000;

/**
 * Runs the library's call and records the change that it makes in the person's own log. The library has its own connection,
 * so the change is written down before; after a crash `finishSignInChanges` records it.
 *
 * @param address the client's IP address
 */
export async function recordSignInChange<Result>(
  deps: RecordDeps,
  { userId }: Pick<Session, 'userId'>,
  address: string,
  change: SignInChange,
  call: () => Promise<Result>,
): Promise<Result> {
  const changeId = deps.ids.next();
  await queries.insertChange(deps.database.home, [changeId, userId, change, address, new Date(deps.clock.now())]);
  try {
    return await call();
  } finally {
    await finishSoon(deps, changeId);
  }
}

/** Ends one of the person's sessions. Ending the session of the call is a sign-out and not recorded. */
export async function endSession(
  deps: RecordDeps,
  own: Session,
  { sessionId, address }: { sessionId: string; address: string },
): Promise<void> {
  const changeId = deps.ids.next();
  const change = [changeId, own.userId, 'session_ended', address, new Date(deps.clock.now())] as const;
  await queries.deleteSession(deps.database.home, [...change, sessionId, own.sessionId]);
  await finishSoon(deps, changeId);
}

/** Records the changes that a crash left unrecorded. */
export async function finishSignInChanges(deps: RecordDeps): Promise<void> {
  const before = new Date(deps.clock.now() - UNDER_WAY_MS);
  for (const change of await queries.selectUnfinishedChanges(deps.database.home, [before, MOST_AT_A_TIME]))
    await finish(deps, change);
}

/** The change is made; an error here must not say otherwise. */
async function finishSoon(deps: RecordDeps, changeId: string): Promise<void> {
  try {
    for (const change of await queries.selectOneChange(deps.database.home, [changeId])) await finish(deps, change);
  } catch (error) {
    deps.log.error({ err: error }, 'A change of a sign-in is recorded later.');
  }
}

async function finish(deps: RecordDeps, { change_id, email, change, is_made }: queries.SignInChangeRow): Promise<void> {
  await queries.finishChange(deps.database.home, [change_id, is_made]);
  if (is_made && (change === 'passkey_added' || change === 'authenticator_added'))
    await alertSignIn(deps, email, 'sign_in_added');
}
