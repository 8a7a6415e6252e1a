import type { Command } from 'commander';
import type { Environment } from '../base/environment.ts';
import { seedOrganizations } from '../seed/seed-organizations.ts';
import { addCommand, environmentOption } from './add-command.ts';
import { operator } from './operator.ts';
import { parseAmount, parseLimit } from './parse-argument.ts';
import { type OutputOptions, printMany } from './print.ts';
import { showProgress } from './show-progress.ts';
import { withDatabase } from './with-database.ts';

type SeedOptions = OutputOptions & { organizations: number; environment: Environment; balance: number };

export function seedCommand(program: Command): void {
  addCommand(
    program,
    'seed',
    'create organizations with keys and balances for load tests',
    'seed --organizations 256 --environment sandbox --balance 90000000000 --json',
  )
    .requiredOption('--organizations <number>', 'number of organizations, 1 to 9999', parseLimit)
    .addOption(environmentOption())
    .requiredOption('--balance <cents>', 'balance of each', parseAmount)
    .action(async (options: SeedOptions) => {
      const { organizations, environment, balance: balanceCents } = options;
      const progress = showProgress('organizations', organizations);
      const input = { organizations, environment, balanceCents, actor: operator(), onSeeded: progress.step };
      const seeded = await withDatabase((deps) => seedOrganizations(deps, input)).finally(progress.end);
      printMany(options, seeded, ({ organization_id, key }) => ({ organization: organization_id, key }));
    });
}
