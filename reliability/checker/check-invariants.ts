import { Client } from 'pg';
import type { ConnectionTarget } from '../../server/src/platform/database/connections.ts';
import type { Recorder } from '../record/recorder.ts';
import { checkEvents } from './check-events.ts';
import { checkForeign } from './check-foreign.ts';
import { checkGifts } from './check-gifts.ts';
import { checkLinks } from './check-links.ts';
import { checkLists } from './check-lists.ts';
import { checkMessages } from './check-messages.ts';
import { checkMoney } from './check-money.ts';
import { checkDebits, checkErrors, checkKeys, checkProcessing } from './check-orders.ts';
import { checkPushes } from './check-pushes.ts';
import type { Check, CheckKey, Violation } from './violation.ts';

export { type CheckKey, type Invariant, invariants, type Violation } from './violation.ts';

export interface CheckInput {
  target: ConnectionTarget;
  recorder: Recorder;
  /** A server, to walk its lists and to open links. */
  url?: string;
  /** Needed with `url`. */
  keys?: readonly CheckKey[];
  /** The servers' time; by default that of the machine. */
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
  checkEvents,
  checkPushes,
];

/**
 * Compares the record with the database, and with the service if `url` is given. Call it when no client sends.
 *
 * @returns the broken invariants
 * @throws if the database cannot be reached
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
