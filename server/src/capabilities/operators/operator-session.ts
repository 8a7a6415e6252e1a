import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/base/clock.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import {
  deleteOldOperatorSessions,
  deleteOperatorSession,
  insertOperatorSession,
  selectOperatorSession,
} from './queries.ts';

const LIFE_MS = 60 * 60_000;
const KEPT_MS = 7 * 86_400_000;
const TOKEN_BYTES = 32;

/** A session of the operator's page. */
export interface OperatorSession {
  /** The operator, in lower case. */
  email: string;
  /** When a second factor last proved who uses it. */
  provedAt: Date;
  expiresAt: Date;
}

type SessionDeps = Pick<PlatformDeps, 'database'> & { clock: Clock };

/**
 * Begins a session of at most an hour for a person who has just proved a second factor, and ends the browser's earlier one.
 *
 * @returns the token for the cookie; undefined if the person is no operator
 */
export async function beginOperatorSession(
  { database, clock }: SessionDeps,
  person: { email: string; userId: string; provedAt: Date; address: string },
  earlierToken: string | undefined,
): Promise<(OperatorSession & { token: string }) | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const earlierHash = earlierToken === undefined ? null : hash(earlierToken);
  const { email, userId, address, provedAt } = person;
  const nowMs = clock.now();
  const [row] = await insertOperatorSession(database.home, [
    hash(token),
    earlierHash,
    email,
    userId,
    address,
    provedAt,
    new Date(nowMs),
    new Date(nowMs + LIFE_MS),
  ]);
  return row && { token, email: row.email, provedAt: row.proved_at, expiresAt: row.expires_at };
}

/** Finds the session of a token, unless it has ended or its person is no longer an operator. */
export async function findOperatorSession(
  { database, clock }: SessionDeps,
  token: string,
): Promise<OperatorSession | undefined> {
  const [row] = await selectOperatorSession(database.home, [hash(token), new Date(clock.now())]);
  return row && { email: row.email, provedAt: row.proved_at, expiresAt: row.expires_at };
}

/** Ends a session. */
export async function endOperatorSession({ database }: Pick<SessionDeps, 'database'>, token: string): Promise<void> {
  await deleteOperatorSession(database.home, [hash(token)]);
}

/** Deletes sessions that ended a week ago. */
export async function forgetOperatorSessions({ database, clock }: SessionDeps): Promise<void> {
  await deleteOldOperatorSessions(database.home, [new Date(clock.now() - KEPT_MS)]);
}

const hash = (token: string) => createHash('sha256').update(token).digest();
