import { Client } from 'pg';
import type { ConnectionTarget } from '../../server/src/database/connections.ts';
import type { Recorder } from '../record/recorder.ts';
import { checkForeign } from './check-foreign.ts';
import { checkGifts } from './check-gifts.ts';
import { checkLinks } from './check-links.ts';
import { checkLists } from './check-lists.ts';
import { checkMessages } from './check-messages.ts';
import { checkMoney } from './check-money.ts';
import { checkDebits, checkErrors, checkKeys, checkProcessing } from './check-orders.ts';
import type { Check, CheckKey, Violation } from './violation.ts';

export { type CheckKey, type Invariant, invariants, type Violation } from './violation.ts';

export interface CheckInput {
  target: ConnectionTarget;
  recorder: Recorder;
  /** Where a server answers, to walk its lists and to open links; left out: only the database is looked at. */
  url?: string;
  /** Whose lists are walked; needed with `url`. */
  keys?: readonly CheckKey[];
  /** What the servers take for now; the machine's clock unless told otherwise. */
  nowMs?: number;
  isClockTrue?: boolean;
}

const checks: readonly Check[] = [
  checkMoney,
  checkDebits,
  checkKeys,
  checkErrors,
  checkLists,
  checkProcessing,
  checkMessages,
  checkGifts,
  checkForeign,
  checkLinks,
];

/**
 * Holds the record against the database, and against the service where a url is given: every invariant that does not
 * hold, in sentences. Call it when no client sends any more; what was in the middle of being done is looked at as it is.
 *
 * @throws where the database cannot be reached
 */
export async function checkInvariants(input: CheckInput): Promise<Violation[]> {
  const { target, recorder, url, keys = [], nowMs = Date.now(), isClockTrue = true } = input;
  const sql = new Client(target);
  await sql.connect();
  try {
    const violations: Violation[] = [];
    for (const check of checks) violations.push(...(await check({ sql, recorder, url, keys, nowMs, isClockTrue })));
    return violations;
  } finally {
    await sql.end();
  }
}
