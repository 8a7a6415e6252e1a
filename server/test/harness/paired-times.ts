import { randomFrom } from '../../../reliability/faults/random.ts';

/** Wall time of each act, milliseconds, round by round. */
export type Rounds<Name extends string> = Record<Name, number[]>;

/**
 * Does every act once a round in a random order, so a slow machine slows all acts alike.
 *
 * @param prepare runs before each act and is not measured
 */
export async function timeInRounds<Name extends string>(
  acts: Record<Name, () => Promise<unknown>>,
  { rounds, seed, prepare = async () => undefined }: { rounds: number; seed: number; prepare?(): Promise<unknown> },
): Promise<Rounds<Name>> {
  const names = Object.keys(acts) as Name[];
  const random = randomFrom(seed);
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Rounds<Name>;
  // The first rounds compile, connect and fill caches.
  for (const name of names) for (let n = 0; n < 5; n += 1) await prepare().then(acts[name]);
  for (let round = 0; round < rounds; round += 1) {
    const order = names.map((name) => ({ name, key: random() })).sort((a, b) => a.key - b.key);
    for (const { name } of order) {
      await prepare();
      const startedMs = performance.now();
      await acts[name]();
      times[name].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** How much longer the first act takes than the second, in pairs of one round. */
export interface Difference {
  /** Milliseconds. */
  medianMs: number;
  /** Bounds of the median with a probability of 99.9 %, for any distribution. */
  fromMs: number;
  toMs: number;
}

export function compare(first: readonly number[], second: readonly number[]): Difference {
  const differences = first.map((ms, n) => ms - (second[n] ?? Number.NaN)).sort((a, b) => a - b);
  const middle = differences.length / 2;
  // Ranks in the middle of the binomial distribution; 3.29 standard deviations exclude one in a thousand.
  const reach = 1.645 * Math.sqrt(differences.length);
  const at = (rank: number) =>
    differences[Math.min(differences.length - 1, Math.max(0, Math.round(rank)))] ?? Number.NaN;
  return { medianMs: at(middle), fromMs: at(middle - reach), toMs: at(middle + reach) };
}

/** True if the times certainly differ by more than this, in either direction. */
export const differsBy = ({ fromMs, toMs }: Difference, boundMs: number): boolean =>
  fromMs > boundMs || toMs < -boundMs;
