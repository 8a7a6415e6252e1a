/** What a suite of `npm run fuzz` is given, and what it gives back. */

export interface SuiteRun {
  /** All randomness comes from it; the same seed and count make the same requests. */
  seed: number;
  /** How many cases: requests, sequences, strings … whatever the suite counts. */
  count: number;
  /** Prints a line of progress or figures. */
  say(line: string): void;
}

export interface Suite {
  name: string;
  /** How many cases a whole run and a short one have; `--count` replaces both. */
  counts: { whole: number; short: number };
  /** Runs until the count or the first findings; answers them as texts, each with what replays it. Empty: all held. */
  run(options: SuiteRun): Promise<string[]>;
}
