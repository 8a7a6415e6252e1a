import { setTimeout } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { createSeal } from '../notices/seal.ts';
import { hashOf } from './hash.ts';
import * as queries from './queries.ts';

/** A program that lost its answer asks again soon; later the same refresh token means that someone else has it too. */
const REPEATED_WITHIN_MS = 60_000;
const ASKED_EVERY_MS = 50;
const ASKED_FOR_MS = 5_000;

export interface TokenAnswer {
  status: number;
  body: string;
}

/**
 * Refreshes once for each refresh token: a program that asks again within a minute, also at the same time, gets the same
 * answer, so that a cut connection costs it no sign-in. The answer is kept sealed with a key that only the used token gives.
 *
 * @param refresh lets the library answer
 */
export async function repeatRefresh(
  { database: { home }, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
  refresh: () => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  const hash = hashOf(token);
  const now = () => new Date(clock.now());
  const [begun] = await queries.beginRefresh(home, [hash, now(), new Date(clock.now() + REPEATED_WITHIN_MS)]);
  const seal = createSeal([token]);
  if (begun !== undefined) {
    let answer: TokenAnswer | undefined;
    try {
      answer = await refresh();
      return answer;
    } finally {
      if (answer?.status === 200) await queries.finishRefresh(home, [hash, seal.seal(answer.body)]);
      else await queries.abandonRefresh(home, [hash]);
    }
  }
  for (let waitedMs = 0; waitedMs < ASKED_FOR_MS; waitedMs += ASKED_EVERY_MS) {
    const [earlier] = await queries.selectRefresh(home, [hash, now()]);
    // Unknown, or too late.
    if (earlier === undefined) return refresh();
    const body = earlier.answer === null ? undefined : seal.open(earlier.answer);
    if (body !== undefined) return { status: 200, body };
    await setTimeout(ASKED_EVERY_MS);
  }
  return {
    status: 503,
    body: JSON.stringify({ error: 'temporarily_unavailable', error_description: 'ask again in a minute' }),
  };
}
