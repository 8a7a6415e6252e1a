import { type Command, Option } from 'commander';
import { pino } from 'pino';
import { outboxPath } from '../../capabilities/outbox/address.ts';
import { createLinks } from '../../core/links/links.ts';
import { addCommand } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseAmount, parseLimit } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOnce } from '../../faces/command-line/print.ts';
import { showProgress } from '../../faces/command-line/show-progress.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { silentMeter } from '../../platform/base/meter.ts';
import { UsageError } from '../../platform/base/operator-error.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { MONTH_DAYS, type SeededMonth, seedMonth } from '../seed/seed-month.ts';
import { seedOrganizations } from '../seed/seed-organizations.ts';

type SeedOptions = OutputOptions & {
  demo?: true;
  organizations?: number;
  environment?: Environment;
  balance?: number;
};

export function seedCommand(program: Command): void {
  addCommand(
    program,
    'seed',
    'fill the demo with a month of gifts, or create organizations for load tests',
    'seed --demo\n  bestow seed --organizations 256 --environment sandbox --balance 90000000000 --json',
  )
    .option('--demo', 'a month of gifts in every state, in the demo organization')
    .option('--organizations <number>', 'number of organizations, 1 to 9999', parseLimit)
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']))
    .option('--balance <cents>', 'balance of each', parseAmount)
    .action(async ({ demo, organizations, environment, balance, ...options }: SeedOptions) => {
      const sizes = [organizations, environment, balance];
      if (demo && sizes.some((size) => size !== undefined))
        throw new UsageError('--demo goes alone: it has no --organizations, --environment or --balance.');
      if (demo) return seedDemoMonth(options);
      if (organizations === undefined || environment === undefined || balance === undefined)
        throw new UsageError('Give --demo, or all three of --organizations, --environment and --balance.');
      const progress = showProgress('organizations', organizations);
      const input = {
        organizations,
        environment,
        balanceCents: balance,
        actor: operator(),
        onSeeded: progress.step,
      };
      const seeded = await withDatabase((deps) => seedOrganizations(deps, input)).finally(progress.end);
      printMany(options, seeded, ({ organization_id, key }) => ({ organization: organization_id, key }));
    });
}

async function seedDemoMonth(options: OutputOptions): Promise<void> {
  const progress = showProgress('days', MONTH_DAYS);
  const seeding = { actor: operator(), onDay: progress.step };
  const month = await withDatabase(async (deps) => {
    const secrets = await secretsForCommand(deps);
    const { stories: _, ...seeded } = await seedMonth(withLinks(deps, secrets), seeding);
    const address = addressOfServer(deps.config);
    const outbox = hasOutboxPage(deps.config, address) ? address + outboxPath(secrets) : null;
    return { ...seeded, portal_url: `${address}/portal`, outbox_url: outbox };
  }).finally(progress.end);
  const { admin_email, portal_url, outbox_url } = month;
  const otherwise = 'The month is made, but its keys were not shown; create others with bestow key create.';
  const place = outbox_url === null ? 'of a mail' : 'in the outbox';
  const remark = `Next: start the service with bestow serve. Sign in to the portal as ${admin_email} with the code ${place}.`;
  const row = ({ counts, keys, organization_id, member_email }: typeof month) => ({
    organization: organization_id,
    'live gifts': madeOf(counts.live),
    'sandbox gifts': madeOf(counts.sandbox),
    'live key': keys.live,
    'sandbox key': keys.sandbox,
    portal: portal_url,
    'its admin': admin_email,
    'its member': member_email,
    outbox: outbox_url,
  });
  printOnce(options, month, row, { remark, otherwise });
}

const madeOf = ({ orders, gifts }: SeededMonth['counts'][Environment]) => `${gifts} in ${orders} orders`;

/** What the acts of the service need beside the database. */
function withLinks(deps: CommandDeps, secrets: readonly string[]) {
  const publicUrl = () => addressOfServer(deps.config);
  return {
    ...deps,
    publicUrl,
    links: createLinks(secretsFor('gifts', deps.config, secrets), publicUrl),
    cipher: createCipher(secretsFor('codes', deps.config, secrets)),
    meter: silentMeter,
    log: pino({ enabled: false }),
  };
}
