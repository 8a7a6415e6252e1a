import type { Deps } from '../../../core/deps.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import * as queries from './flow-queries.ts';
import { recordPersonEvent } from './person-events.ts';

export const CODE_LIFE_SECONDS = 600;
const TRIES_PER_CODE = 3;
/** Wrong codes of unknown browsers for one address, ever: one in ten thousand is the chance that all of them guess. */
const MOST_FAILURES = 100;
/** A browser with more wrong codes than this since its last sign-in is unknown again. */
const MOST_DEVICE_FAILURES = 10;

/** A code as it was entered, with the browser's cookies. The email is in lower case. */
export interface EnteredCode {
  email: string;
  codeHash: string;
  flowHash: Buffer;
  deviceHash: Buffer | undefined;
  /** The client's IP address. */
  address: string;
}

/** Whether this browser has signed in with this address before. */
export async function isKnownDevice(
  { database }: Pick<Deps, 'database'>,
  { email, deviceHash }: Pick<EnteredCode, 'email' | 'deviceHash'>,
): Promise<boolean> {
  if (deviceHash === undefined) return false;
  return (await queries.selectDevice(database.home, [deviceHash, email, MOST_DEVICE_FAILURES])).length > 0;
}

/**
 * Tries a code. Three tries end the code. Wrong codes of unknown browsers are counted for the address for ever, with growing
 * pauses; known browsers have their own count, so that a stranger cannot lock a member out of them.
 *
 * @throws BestowError `too_many_tries`
 */
export async function tryCode(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  entered: EnteredCode,
): Promise<'right' | 'wrong' | 'used_up'> {
  const { email, codeHash, flowHash, deviceHash, address } = entered;
  const { home } = deps.database;
  const nowMs = deps.clock.now();
  const isKnown = await isKnownDevice(deps, entered);
  if (!isKnown && (await queries.reserveFailure(home, [email, new Date(nowMs), MOST_FAILURES])).length === 0)
    throw await pausedError(deps, email);
  const startedAfter = new Date(nowMs - CODE_LIFE_SECONDS * 1_000);
  const [tried] = await queries.tryCode(home, [flowHash, email, codeHash, startedAfter, TRIES_PER_CODE]);
  const isGuess = tried?.is_right === false;
  if (!isKnown && !isGuess) await queries.releaseFailure(home, [email]);
  if (isKnown && isGuess && deviceHash !== undefined) await queries.countDeviceFailure(home, [deviceHash, email]);
  if (isGuess) await recordPersonEvent(deps, { email, event: 'code_wrong', address });
  if (tried?.is_right) return 'right';
  return isGuess && tried.tries >= TRIES_PER_CODE ? 'used_up' : 'wrong';
}

async function pausedError({ database, clock }: Pick<Deps, 'database' | 'clock'>, email: string): Promise<BestowError> {
  const [row] = await queries.selectFailures(database.home, [email]);
  const waitMs = (row?.paused_until?.getTime() ?? 0) - clock.now();
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const when =
    row !== undefined && row.failures >= MOST_FAILURES
      ? 'Codes by email no longer work for this address in new browsers. Use'
      : `Try again in ${minutes} minute${minutes === 1 ? '' : 's'}, or use`;
  return new BestowError('too_many_tries', {
    message: `Too many wrong codes were entered for this address. ${when} a passkey or a browser that you used before.`,
    retryAfterSeconds: minutes * 60,
  });
}
