import type { Environment } from '../../server/src/platform/base/environment.ts';

/** The operator calls `fund`; a recipient calls `openPage`, `pressOpen` and `pressClaim`. */
export type OperationName =
  | 'placeOrder'
  | 'replay'
  | 'retrieveOrder'
  | 'listOrders'
  | 'listGifts'
  | 'retrieveGift'
  | 'redirect'
  | 'deliver'
  | 'open'
  | 'claim'
  | 'spend'
  | 'reset'
  | 'health'
  | 'fund'
  | 'openPage'
  | 'pressOpen'
  | 'pressClaim';

/** `failed`: an answer with an `error` object, so the call changed nothing. `unknown`: a time-out or a lost connection. */
export type Outcome =
  | { kind: 'ok'; status: number; answer: unknown }
  | { kind: 'failed'; status: number; code: string; answer: unknown; retryAfterSeconds?: number | undefined }
  | { kind: 'unknown'; reason: string };

export interface CallStart {
  operation: OperationName;
  /** `org_…`, or empty for a call without a key. */
  organizationId: string;
  environment: Environment;
  idempotencyKey?: string;
  /** The id of the order or gift. */
  subjectId?: string;
  request?: unknown;
}

/** Times are `monotonicNowMs`. */
export interface RecordedCall extends CallStart {
  startedAtMs: number;
  endedAtMs: number;
  outcome: Outcome;
}

/** A message that a mail server of this harness accepted. */
export interface ReceivedMessage {
  channel: 'email' | 'phone';
  /** The part before the @ of an email's `Message-ID`. */
  reference: string | undefined;
  recipient: string;
  atMs: number;
}

/** An endpoint of this harness. It gets every event of its environment after the sequence `after`. */
export interface PushedEndpoint {
  /** `wh_…` */
  endpointId: string;
  /** `org_…` */
  organizationId: string;
  environment: Environment;
  isOrdered: boolean;
  after: number;
}

/** An event as it was pushed. */
export interface PushedEvent {
  event_id: string;
  type: string;
  timestamp: string;
  sequence: number;
  previous_sequence: number | null;
  data: unknown;
}

export interface ReceivedPush {
  endpointId: string;
  event: PushedEvent;
  isAccepted: boolean;
}

/** What clients and recipients saw; the checker compares it with the database. */
export interface Recorder {
  /** Makes a call and records it. `act` returns `unknown` instead of throwing. */
  call(start: CallStart, act: () => Promise<Outcome>): Promise<Outcome>;
  /** Adds a call that was made elsewhere. */
  add(call: RecordedCall): void;
  /** In the order of their ends. */
  readonly calls: readonly RecordedCall[];
  message(message: ReceivedMessage): void;
  readonly messages: readonly ReceivedMessage[];
  /** Declares that a server of this harness receives the messages of a channel. If it accepts `all`, every live gift gets one. */
  expectMessages(channel: 'email' | 'phone', accepted: 'all' | 'some'): void;
  readonly expectedChannels: ReadonlyMap<'email' | 'phone', 'all' | 'some'>;
  /** Declares an endpoint that accepts every event in the end. */
  expectPushes(endpoint: PushedEndpoint): void;
  readonly endpoints: readonly PushedEndpoint[];
  push(push: ReceivedPush): void;
  /** In the order in which they arrived. */
  readonly pushes: readonly ReceivedPush[];
  /** Records a killed or frozen process, or a lost connection: each may cause one duplicate message. */
  crash(atMs?: number): void;
  readonly crashesAtMs: readonly number[];
  /** The ledger entries of an earlier check by id, as text. They never change. */
  readonly seenEntries: Map<string, string>;
}

/** About 400 MB of answers. */
const MAX_CALLS = 400_000;
const MAX_MESSAGES = 400_000;
const MAX_PUSHES = 400_000;

/** Returns the milliseconds since 1970 by a clock that never goes back. */
export const monotonicNowMs = (): number => performance.timeOrigin + performance.now();

/** Creates a record in memory. @throws RangeError from its functions when it is full */
export function createRecorder(): Recorder {
  const calls: RecordedCall[] = [];
  const messages: ReceivedMessage[] = [];
  const endpoints: PushedEndpoint[] = [];
  const pushes: ReceivedPush[] = [];
  const expectedChannels = new Map<'email' | 'phone', 'all' | 'some'>();
  const crashesAtMs: number[] = [];

  function add(call: RecordedCall): void {
    if (calls.length >= MAX_CALLS) throw new RangeError(`The record holds ${MAX_CALLS} calls and no more.`);
    calls.push(call);
  }

  return {
    calls,
    messages,
    endpoints,
    pushes,
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
    expectPushes: (endpoint) => void endpoints.push(endpoint),
    push(push) {
      if (pushes.length >= MAX_PUSHES) throw new RangeError(`The record holds ${MAX_PUSHES} pushes and no more.`);
      pushes.push(push);
    },
    expectMessages: (channel, accepted) => void expectedChannels.set(channel, accepted),
    crash: (atMs = monotonicNowMs()) => void crashesAtMs.push(atMs),
  };
}
