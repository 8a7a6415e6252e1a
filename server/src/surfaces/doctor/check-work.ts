import type { Deps } from '../../core/deps.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { localAddress } from '../../platform/configuration/server-address.ts';
import { queues } from '../../platform/jobs/tasks.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { ACCOUNT_REFUSAL } from '../../platform/messaging/send-failure.ts';
import { attempt } from './attempt.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { countStuck, selectRefusals } from './queries.ts';

/** Workers start due jobs within seconds. */
const STUCK_AFTER_MS = 5 * 60_000;
const MAX_COUNTED = 10_000;
const REFUSED_FOR_MS = 15 * 60_000;
const PROVIDERS = { email: 'the mail server of SMTP_URL', phone: 'Twilio' } as const;

type WorkDeps = Pick<Deps, 'config' | 'clock' | 'database'>;

/** Finds jobs and orders that are overdue, and messages that fail. */
export async function checkWork(deps: WorkDeps): Promise<Finding[]> {
  return [
    ...(await attempt('jobs', () => checkStuck(deps))),
    ...(await attempt('refused messages', () => checkRefusals(deps))),
  ];
}

async function checkStuck({ clock, config, database }: WorkDeps): Promise<Finding[]> {
  const dueBefore = new Date(clock.now() - STUCK_AFTER_MS);
  const { home, shards } = database;
  const stuck = await countStuck([...new Set([...shards, home])], [dueBefore, MAX_COUNTED, withoutProvider(config)]);
  const sumOf = (name: keyof (typeof stuck)[number]) => stuck.reduce((sum, row) => sum + row[name], 0);
  const [jobs, orders, messages] = [sumOf('jobs'), sumOf('orders'), sumOf('messages')];
  const advice = 'Start bestow serve or bestow worker, and check its log.';
  return [
    jobs === 0 ? ok('jobs', 'none overdue') : fault('jobs', `${jobs} due for more than five minutes`, advice),
    orders === 0 ? ok('processing orders', 'none overdue') : fault('processing orders', `${orders} overdue`, advice),
    messages === 0
      ? ok('messages', 'none failed')
      : warning(
          'messages',
          `${messages} failed and will be retried`,
          'Run: bestow outbox list --failed. It shows the reasons; retries go on for a day.',
        ),
  ];
}

/** Finds providers that accept no message because of the account, which looks like many wrong addresses. */
async function checkRefusals({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<Finding[]> {
  const since = new Date(clock.now() - REFUSED_FOR_MS);
  const rows = await selectRefusals(database.shards, [ACCOUNT_REFUSAL, since, MAX_COUNTED]);
  return (['email', 'phone'] as const).flatMap((channel) => {
    const found = rows.filter((row) => row.channel === channel);
    const [first] = found;
    if (first === undefined) return [];
    const { accepts, reason } = first;
    return (accepts ? warning : fault)(
      channel === 'email' ? 'refused emails' : 'refused text messages',
      `${accepts ? 'some messages are' : 'every message of the last 15 minutes was'} refused by ${PROVIDERS[channel]}: ${reason}`,
      'Correct your account or sender at the provider. The messages are retried for a day and are not lost.',
    );
  });
}

/** Queues whose jobs wait for a missing provider, which `checkSettings` reports. */
function withoutProvider(config: Config): string[] {
  const { host, port, publicUrl, smtp, twilio } = config;
  if (hasOutboxPage(config, publicUrl ?? localAddress(host, port))) return [];
  const { code, email, notice, phone } = queues;
  const waiting = [...(smtp === undefined ? [code, email, notice] : []), ...(twilio === undefined ? [phone] : [])];
  return waiting.map(({ name }) => name);
}
