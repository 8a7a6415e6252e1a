/** A running Bestow of one's own. */
export interface EphemeralBestow extends AsyncDisposable {
  /** Such as `http://localhost:40191`. */
  baseUrl: string;
  /** Of an organization with a balance of 100,000,000 cents in its sandbox. */
  sandboxKey: string;
  /** Of the same organization, with 1,000,000 cents that are no money: nothing is sent to anyone. */
  liveKey: string;
  /** Stops it and removes all that it wrote. */
  stop(): Promise<void>;
}

export interface EphemeralOptions {
  /** Settings such as `ORDER_LOCK_WAIT_MS`; those that lead to databases, mail servers and addresses are not heeded. */
  settings?: Record<string, string>;
  /** 30,000 unless said otherwise. */
  startWithinMs?: number;
}

/**
 * Starts Bestow on a throw-away database, for a test suite, on a port that is free. It ends with the process that started
 * it, however that ends.
 *
 * @throws Error that says why it could not start
 */
export function startBestow(options?: EphemeralOptions): Promise<EphemeralBestow>;
