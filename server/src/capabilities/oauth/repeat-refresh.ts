import { setTimeout } from 'node:timers/promises';
import type { Deps } from '../../core/deps.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { hashOf } from './hash.ts';
import * as queries from './queries.ts';

/** A program that lost its answer asks again soon; later the same refresh token means that someone else has it too. */
const REPEATED_WITHIN_MS = 60_000;
/** A process that has not finished by then died; the token is not used up. */
const UNDER_WAY_MS = 10_000;
const ASKED_EVERY_MS = 50;
const ASKED_FOR_MS = 5_000;

export interface TokenAnswer {
  status: number;
  body: string;
}

/**
 * Refreshes once for each refresh token: a program that asks again within a minute, also at the same time, gets the same
 * answer, so that a cut connection costs it no sign-in. The token is used up in the statement that keeps the answer, encrypted
 * with a key that only this token gives; so after a crash the next try refreshes.
 *
 * @param refresh lets the library answer
 */
export async function repeatRefresh(
  { database: { home }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
  refresh: () => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  const hash = hashOf(token);
  const cipher = createCipher([token]);
  const inMs = (ms: number) => new Date(clock.now() + ms);

  async function find(): Promise<TokenAnswer | 'under_way' | undefined> {
    const [kept] = await queries.selectRefresh(home, [hash, inMs(0)]);
    if (kept === undefined) return undefined;
    const body = kept.answer === null ? undefined : cipher.decrypt(kept.answer);
    return body === undefined ? 'under_way' : { status: 200, body };
  }

  for (let waitedMs = 0; waitedMs < ASKED_FOR_MS; waitedMs += ASKED_EVERY_MS) {
    const [begun] = await queries.beginRefresh(home, [hash, inMs(0), inMs(UNDER_WAY_MS)]);
    if (begun !== undefined) {
      const answer = await refresh();
      if (answer.status !== 200) await queries.abandonRefresh(home, [hash]);
      else if (
        (await queries.finishRefresh(home, [hash, cipher.encrypt(answer.body), inMs(0), inMs(REPEATED_WITHIN_MS)]))
          .length === 0
      )
        continue;
      return answer;
    }
    const found = await find();
    // Not a token that is kept.
    if (found === undefined) return refresh();
    if (found !== 'under_way') return found;
    await setTimeout(ASKED_EVERY_MS);
  }
  return {
    status: 503,
    body: JSON.stringify({ error: 'temporarily_unavailable', error_description: 'ask again in ten seconds' }),
  };
}
