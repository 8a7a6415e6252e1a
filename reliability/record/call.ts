import type { Environment } from '../../server/src/base/environment.ts';

/** What a client did. `fund` is the operator's; `openPage` and the two after it are a recipient's. */
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

/**
 * `ok`: done, with the answer. `failed`: an answer with an `error` object, so nothing was done. `unknown`: anything else
 * (time-out, dropped connection, an answer without an `error` object).
 */
export type Outcome =
  | { kind: 'ok'; status: number; answer: unknown }
  | { kind: 'failed'; status: number; code: string; answer: unknown; retryAfterSeconds?: number | undefined }
  | { kind: 'unknown'; reason: string };

/** What is known of a call before it is made. */
export interface CallStart {
  operation: OperationName;
  /** `org_…`; empty where nobody's key is used (`health`). */
  organizationId: string;
  environment: Environment;
  idempotencyKey?: string;
  /** The order or gift that it is about, where there is one. */
  subjectId?: string;
  /** The body that was sent. */
  request?: unknown;
}

/** Times are milliseconds since 1970 that never go back. */
export interface RecordedCall extends CallStart {
  startedAtMs: number;
  endedAtMs: number;
  outcome: Outcome;
}

/** A message that a sink of this harness accepted. */
export interface ReceivedMessage {
  channel: 'email' | 'phone';
  /** What stands before the @ in an email's `Message-ID`; `undefined` where the channel carries none. */
  reference: string | undefined;
  recipient: string;
  atMs: number;
}
