import type { Command } from 'commander';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { parseLimit } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withAnyOrganization } from '../../faces/command-line/with-organization.ts';
import { readConfig } from '../../platform/configuration/config.ts';
import { listAllTopups } from './list-topups.ts';

interface ListOptions extends OutputOptions {
  org?: string;
  limit: number;
  after?: string;
}

export function topupCommands(program: Command): void {
  const group = addGroup(program, 'topup', 'top-ups that organizations pay themselves', 'topup list');
  addCommand(group, 'list', 'list top-ups and their states, newest first', 'topup list --limit 20')
    .addOption(organizationOption('only of this organization'))
    .option('--limit <number>', 'at most this many', parseLimit, 50)
    .option('--after <id>', 'only older ones than this one (top_…)')
    .action(async (options: ListOptions) => {
      const { currency } = readConfig(process.env);
      const topups = await withAnyOrganization(options.org, async (deps, id) => {
        const { limit, after } = options;
        const organization = id === undefined ? undefined : await findOrganization(deps, id);
        return listAllTopups(deps, { organizationId: organization?.organization_id, limit, after });
      });
      printMany(options, topups, ({ topup_id, organization_id, kind, state, amount, fee, taken_back, created_at }) => ({
        topup: topup_id,
        organization: organization_id,
        kind,
        state,
        amount: showMoney(amount, currency),
        fee: showMoney(fee, currency),
        'taken back': showMoney(taken_back, currency),
        created: created_at,
      }));
    });
}
