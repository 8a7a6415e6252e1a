import type { Client } from 'pg';
import type { Environment } from '../../server/src/base/environment.ts';
import type { Recorder } from '../record/recorder.ts';

/** What must hold whatever happens. */
export const invariants = {
  I1: 'Funding less orders is the balance, which is never below zero; entries are never changed, and deleted only by a reset.',
  I2: 'An order has one debit, the sum of its 1 to 10 gifts, which stand as they were sent.',
  I3: 'An idempotency key places at most one order, and every replay returns it.',
  I4: 'An answer with an error object means that the attempt left nothing.',
  I5: 'An acknowledged order exists, and stands once in its list, the latest first; resets count exactly.',
  I6: 'An order that is processing becomes processed.',
  I7: 'A live gift gets its message: at most one more for each crash, and none for a gift that there is not.',
  I8: 'A gift is claimed once, its status never goes back, and only what was claimed is spent.',
  I9: 'Nothing of one organization is sent to another.',
  I10: 'The link that a read of one gift returns opens.',
} as const;

export type Invariant = keyof typeof invariants;

/** What did not hold, in a sentence that names the order, gift or entry. */
export interface Violation {
  invariant: Invariant;
  text: string;
}

/** What each check works on. */
export interface CheckContext {
  sql: Client;
  recorder: Recorder;
  /** Where a server answers: then lists are walked and links opened. */
  url: string | undefined;
  keys: readonly CheckKey[];
  /** What the servers take for now: milliseconds since 1970. */
  nowMs: number;
  /** False where a fault moved the servers' clocks: their time stamps are then no evidence. */
  isClockTrue: boolean;
}

/** With which the lists of an organization are walked. */
export interface CheckKey {
  organizationId: string;
  environment: Environment;
  key: string;
}

export type Check = (context: CheckContext) => Promise<Violation[]>;

/** One that needs the tables alone: statements that PostgreSQL answers with what is wrong, however many rows there are. */
export type TableCheck = (context: Pick<CheckContext, 'sql' | 'nowMs'>) => Promise<Violation[]>;

/** At most so many of a check are told: a fault may touch thousands. */
export const MAX_TOLD = 20;
