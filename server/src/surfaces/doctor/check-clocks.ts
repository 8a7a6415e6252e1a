import { findDatedAhead } from '../../core/balances/find-dated-ahead.ts';
import type { Database } from '../../platform/database/connections.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { clockWorkBehindMs, databasesWithClocks, listProcessClocks } from '../../platform/jobs/clocks.ts';
import { inWords, MOST_LEAP_MS, MOST_OFFSET_MS } from '../../platform/jobs/server-clock.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from './check-database.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** Each minute has its work; some of it takes minutes. */
const BEHIND_AFTER_MS = 15 * 60_000;

/** Asks what each running process found of its own clock, and whether the work by the clock goes on. */
export async function checkClocks(database: Database): Promise<Finding[]> {
  const all = databasesWithClocks(database);
  const each = await Promise.all(all.map((server) => checkServer(server)));
  const name = (check: string, index: number) => (all.length === 1 ? check : `${check} of ${nameOf(index, database)}`);
  const findings = each.flatMap((found, index) =>
    found.map((finding) => ({ ...finding, check: name(finding.check, index) })),
  );
  return [...findings, ...(await checkDates(database))];
}

/** What a process with a wrong clock left behind. */
async function checkDates(database: Database): Promise<Finding[]> {
  const ahead = await findDatedAhead({ database });
  if (ahead === undefined) return [];
  const balances = ahead.balances === 1 ? '1 balance has' : `${ahead.balances} balances have`;
  return [
    warning(
      'dates of orders',
      `${balances} orders dated up to ${ahead.until.toISOString()}`,
      'A clock was wrong. Lists and statements put these orders there, and each later one of these organizations: docs/monitoring.md#clocks.',
    ),
  ];
}

const nameOf = (index: number, { servers }: Pick<Database, 'servers'>) =>
  index < servers.length ? `server ${index + 1}` : 'people';

async function checkServer(server: Queryable): Promise<Finding[]> {
  const processes = await listProcessClocks(server);
  const behindMs = await clockWorkBehindMs(server);
  return [
    ...(processes.length === 0 ? [] : [checkProcesses(processes)]),
    ...(behindMs === undefined ? [] : [checkWork(behindMs, processes.length > 0)]),
  ];
}

function checkProcesses(processes: Awaited<ReturnType<typeof listProcessClocks>>): Finding {
  const check = 'clocks of processes';
  const [worst] = processes.toSorted((a, b) => Math.abs(b.offset_ms) - Math.abs(a.offset_ms));
  const offMs = Math.abs(worst?.offset_ms ?? 0);
  const found = `${worst?.process}: ${inWords(worst?.offset_ms ?? 0)} PostgreSQL’s`;
  const advice = 'Set the clock of the wrong machine, with NTP: docs/monitoring.md#clocks.';
  if (offMs > MOST_OFFSET_MS) return fault(check, `${found}; it answers no requests and works on no jobs`, advice);
  if (offMs > MAX_CLOCK_DIFFERENCE_MS) return warning(check, found, advice);
  return ok(
    check,
    `${processes.length === 1 ? '1 process' : `${processes.length} processes`}, at most ${offMs} ms off`,
  );
}

function checkWork(behindMs: number, isRunning: boolean): Finding {
  const check = 'work by the clock';
  const found = `last done ${inWords(-behindMs)} now`;
  if (behindMs > MOST_LEAP_MS || behindMs < -MOST_OFFSET_MS)
    return fault(
      check,
      `${found}: it waits`,
      'If the clock of PostgreSQL is right now, run: bestow clock accept (docs/monitoring.md#clocks).',
    );
  if (behindMs > BEHIND_AFTER_MS && isRunning)
    return warning(check, found, 'Start bestow serve or bestow worker, and check its log.');
  return ok(check, found);
}
