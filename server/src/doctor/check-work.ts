import { verifyLedger } from '../balances/verify-ledger.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { queues } from '../jobs/tasks.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { countStuck } from './queries.ts';

/** Whatever is due is taken up within seconds; after five minutes nobody seems to work. */
const STUCK_AFTER_MS = 5 * 60_000;
const MOST_COUNTED = 10_000;

export async function checkWork(deps: Pick<Deps, 'config' | 'clock' | 'database'>): Promise<Finding[]> {
  const { holds, checked, checks } = await verifyLedger(deps);
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  const dueBefore = new Date(deps.clock.now() - STUCK_AFTER_MS);
  const [stuck] = await countStuck(deps.database.read, [dueBefore, MOST_COUNTED, withoutProvider(deps.config)]);
  const { jobs = 0, orders = 0, messages = 0 } = stuck ?? {};
  return [
    holds
      ? ok('ledger', `holds over ${checked.ledger_entries} entries`)
      : fault('ledger', `${faults} faults`, 'Run: bestow ledger verify. Stop the service, and restore from a backup.'),
    jobs === 0
      ? ok('jobs', 'none waits')
      : fault(
          'jobs',
          `${jobs} due for more than five minutes`,
          'Start bestow serve, or bestow worker; then look at its log.',
        ),
    orders === 0
      ? ok('processing orders', 'none waits')
      : fault('processing orders', `${orders} overdue`, 'Start bestow serve, or bestow worker; then look at its log.'),
    messages === 0
      ? ok('messages', 'none was tried in vain')
      : warning(
          'messages',
          `${messages} tried and not accepted yet`,
          'Run: bestow outbox list --failed. It shows the reasons; they are tried for a day.',
        ),
  ];
}

/** Queues whose jobs wait for a provider. That none is set is told of the settings. */
function withoutProvider({ isProduction, smtp, twilio }: Config): string[] {
  if (!isProduction) return [];
  const { email, notice, phone } = queues;
  const waiting = [...(smtp === undefined ? [email, notice] : []), ...(twilio === undefined ? [phone] : [])];
  return waiting.map(({ name }) => name);
}
