import { verifyLedger } from '../balances/verify-ledger.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { queues } from '../jobs/tasks.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { countStuck } from './queries.ts';

/** Workers start due jobs within seconds. */
const STUCK_AFTER_MS = 5 * 60_000;
const MAX_COUNTED = 10_000;

export async function checkWork(deps: Pick<Deps, 'config' | 'clock' | 'database'>): Promise<Finding[]> {
  const { holds, checked, checks } = await verifyLedger(deps);
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  const dueBefore = new Date(deps.clock.now() - STUCK_AFTER_MS);
  const { home, shards } = deps.database;
  const stuck = await countStuck(
    [...new Set([...shards, home])],
    [dueBefore, MAX_COUNTED, withoutProvider(deps.config)],
  );
  const sumOf = (name: keyof (typeof stuck)[number]) => stuck.reduce((sum, row) => sum + row[name], 0);
  const [jobs, orders, messages] = [sumOf('jobs'), sumOf('orders'), sumOf('messages')];
  return [
    holds
      ? ok('ledger', `consistent, ${checked.ledger_entries} entries`)
      : fault('ledger', `${faults} faults`, 'Run: bestow ledger verify. Stop the service and restore a backup.'),
    jobs === 0
      ? ok('jobs', 'none overdue')
      : fault(
          'jobs',
          `${jobs} due for more than five minutes`,
          'Start bestow serve or bestow worker, and check its log.',
        ),
    orders === 0
      ? ok('processing orders', 'none overdue')
      : fault('processing orders', `${orders} overdue`, 'Start bestow serve or bestow worker, and check its log.'),
    messages === 0
      ? ok('messages', 'none failed')
      : warning(
          'messages',
          `${messages} failed and will be retried`,
          'Run: bestow outbox list --failed. It shows the reasons; retries go on for a day.',
        ),
  ];
}

/** Queues whose jobs wait for a missing provider, which `checkSettings` reports. */
function withoutProvider({ isProduction, smtp, twilio }: Config): string[] {
  if (!isProduction) return [];
  const { code, email, notice, phone } = queues;
  const waiting = [...(smtp === undefined ? [code, email, notice] : []), ...(twilio === undefined ? [phone] : [])];
  return waiting.map(({ name }) => name);
}
