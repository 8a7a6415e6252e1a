import type { Client } from 'pg';
import type { Environment } from '../../server/src/platform/base/environment.ts';
import type { Recorder } from '../record/recorder.ts';

/** What must always hold. */
export const invariants = {
  I1: 'Funding less orders is the balance, which is never below zero; entries are never changed, and deleted only by a reset.',
  I2: 'An order has one debit, the sum of its 1 to 10 gifts, which stand as they were sent.',
  I3: 'An idempotency key places at most one order, and every replay returns it.',
  I4: 'An answer with an error object means that the attempt left nothing.',
  I5: 'An acknowledged order exists, and stands once in its list, the latest first; resets count exactly.',
  I6: 'An order that is processing becomes processed.',
  I7: 'A live gift gets its message: at most one more for each crash, and none for a gift that does not exist.',
  I8: 'A gift is claimed once, its status never goes back, and only what was claimed is spent.',
  I9: 'Nothing of one organization is sent to another.',
  I10: 'The link that a read of one gift returns opens.',
  I11: 'The events of an environment have no hole, say what the tables say, and are all pushed, to ordered endpoints in order.',
} as const;

export type Invariant = keyof typeof invariants;

export interface Violation {
  invariant: Invariant;
  text: string;
}

export interface CheckContext {
  sql: Client;
  recorder: Recorder;
  /** If given, lists are walked and links opened. */
  url: string | undefined;
  keys: readonly CheckKey[];
  /** The servers' time in milliseconds since 1970. */
  nowMs: number;
  /** False if a fault moved the servers' clocks. */
  isClockTrue: boolean;
}

/** Reads the lists of an organization. */
export interface CheckKey {
  organizationId: string;
  environment: Environment;
  key: string;
}

export type Check = (context: CheckContext) => Promise<Violation[]>;

/** A check that needs the tables only. */
export type TableCheck = (context: Pick<CheckContext, 'sql' | 'nowMs'>) => Promise<Violation[]>;

/** A fault may break thousands of rows. */
export const MAX_SHOWN = 20;
