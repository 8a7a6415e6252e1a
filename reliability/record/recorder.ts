import type { CallStart, Outcome, ReceivedMessage, RecordedCall } from './call.ts';

export type { CallStart, OperationName, Outcome, ReceivedMessage, RecordedCall } from './call.ts';

/** All that clients and recipients saw, for the checker to hold against the database. Append-only. */
export interface Recorder {
  /**
   * Makes a call and records it.
   *
   * @param act must not throw: a call that broke is `unknown`
   */
  call(start: CallStart, act: () => Promise<Outcome>): Promise<Outcome>;
  /** Adds a call that was made without `call`. */
  add(call: RecordedCall): void;
  /** In the order of their ends. */
  readonly calls: readonly RecordedCall[];
  message(message: ReceivedMessage): void;
  readonly messages: readonly ReceivedMessage[];
  /**
   * Tells that messages by email (or phone) go to a sink of this harness, so that none that was accepted may be missing
   * there; and whether the sink accepts all, so that every live gift must come to have one.
   */
  expectMessages(channel: 'email' | 'phone', accepted: 'all' | 'some'): void;
  readonly expectedChannels: ReadonlyMap<'email' | 'phone', 'all' | 'some'>;
  /** Tells of a process that was killed or frozen, or of a connection cut: each may cost one duplicate of a message. */
  crash(atMs?: number): void;
  /** When each was. */
  readonly crashesAtMs: readonly number[];
  /** Ledger entries that an earlier check saw, by id, as text: they must stay as they were. */
  readonly seenEntries: Map<string, string>;
}

/** Some 400 MB of answers. */
const MAX_CALLS = 400_000;
const MAX_MESSAGES = 400_000;

/** Now, in milliseconds since 1970, by a clock that never goes back. */
export const monotonicNowMs = (): number => performance.timeOrigin + performance.now();

/** A record in memory. @throws RangeError from its acts where it is full: what a checker does not see it cannot check */
export function createRecorder(): Recorder {
  const calls: RecordedCall[] = [];
  const messages: ReceivedMessage[] = [];
  const expectedChannels = new Map<'email' | 'phone', 'all' | 'some'>();
  const crashesAtMs: number[] = [];

  function add(call: RecordedCall): void {
    if (calls.length >= MAX_CALLS) throw new RangeError(`The record holds ${MAX_CALLS} calls and no more.`);
    calls.push(call);
  }

  return {
    calls,
    messages,
    expectedChannels,
    seenEntries: new Map(),
    crashesAtMs,
    add,
    async call(start, act) {
      const startedAtMs = monotonicNowMs();
      const outcome = await act();
      add({ ...start, startedAtMs, endedAtMs: monotonicNowMs(), outcome });
      return outcome;
    },
    message(message) {
      if (messages.length >= MAX_MESSAGES)
        throw new RangeError(`The record holds ${MAX_MESSAGES} messages and no more.`);
      messages.push(message);
    },
    expectMessages: (channel, accepted) => void expectedChannels.set(channel, accepted),
    crash: (atMs = monotonicNowMs()) => void crashesAtMs.push(atMs),
  };
}
