import type { Command } from 'commander';
import { deleteSandbox } from '../../capabilities/erasure/delete-sandbox.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { createSandbox } from '../../core/sandbox/create-sandbox.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { type OutputOptions, printOne } from '../../faces/command-line/print.ts';
import { showWork } from '../../faces/command-line/show-progress.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';

type SandboxOptions = OutputOptions & { org?: string };

export function sandboxCommands(program: Command): void {
  const example = '--org org_01h455vb4pex5vsknk084sn02q';
  const group = addGroup(program, 'sandbox', 'sandboxes, for tests without real money', `sandbox create ${example}`);

  addCommand(group, 'create', 'create an organization’s sandbox', `sandbox create ${example}`)
    .addOption(organizationOption())
    .action(async (options: SandboxOptions) => {
      const sandbox = await withOrganization(options.org, (deps, organizationId) =>
        createSandbox(deps, { organizationId, actor: operator() }),
      );
      printOne(options, sandbox, ({ organization_id, created_at }) => ({
        organization: organization_id,
        created: created_at,
      }));
    });

  addCommand(group, 'delete', 'delete a sandbox and its contents; its keys stay', `sandbox delete ${example}`, {
    confirms: deletion,
  })
    .addOption(organizationOption())
    .action(async (options: SandboxOptions) => {
      const act = (deps: CommandDeps, organizationId: string) =>
        deleteSandbox(deps, { organizationId, actor: operator() });
      const deleted = await showWork('Deleting', () => withOrganization(options.org, act));
      printOne(options, deleted, (counts) => ({
        organization: counts.organization_id,
        'orders deleted': counts.orders_deleted,
        'gifts deleted': counts.gifts_deleted,
        'balances deleted': counts.balances_deleted,
        'ledger entries deleted': counts.ledger_entries_deleted,
      }));
    });
}

async function deletion(deps: CommandDeps, { org }: SandboxOptions) {
  const owner = await nameOrganization(deps, await identifyOrganization(deps, org));
  return `Delete the sandbox of ${owner}? Every order, gift and cent in it is deleted. ${FOR_EVER}`;
}
