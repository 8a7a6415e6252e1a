/** A running Bestow for tests. */
export interface EphemeralBestow extends AsyncDisposable {
  /** Address, such as `http://localhost:40191`. */
  baseUrl: string;
  /** Key of an organization with 100,000,000 cents in its sandbox. */
  sandboxKey: string;
  /** Live key of the same organization, with 1,000,000 cents. No message is sent to anyone. */
  liveKey: string;
  /** Address of a page with all messages that would have been sent. */
  outboxUrl: string;
  /** Adds funds to the sandbox, or the live balance: `sandbox.reset()` leaves nothing, so that every later order is 402. */
  addFunds(cents: number, environment?: 'live' | 'sandbox'): Promise<void>;
  /** Moves the service's clock; work that is due then begins within a second or two. */
  advance(ms: number): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

export interface EphemeralOptions {
  /** Settings such as `ORDER_LOCK_WAIT_MS`. Settings for databases, mail servers and addresses are ignored. */
  settings?: Record<string, string>;
  /** 30,000 by default. */
  startWithinMs?: number;
}

/**
 * Starts Bestow on a temporary database and a free port, for a test suite. The server stops when its parent process
 * ends.
 *
 * @throws Error with the reason if it cannot start
 */
export function startBestow(options?: EphemeralOptions): Promise<EphemeralBestow>;
