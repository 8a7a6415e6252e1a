import type { Command } from 'commander';
import { listEvents } from '../audit/list-events.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { addCommand, addGroup, organizationOption } from './add-command.ts';
import { parseLimit } from './parse-argument.ts';
import { type OutputOptions, printMany } from './print.ts';
import { withDatabase } from './with-database.ts';

export function auditCommands(program: Command): void {
  const example = 'audit list --org org_01h455vb4pex5vsknk084sn02q';
  const group = addGroup(program, 'audit', 'audit log: who changed what, when and from where', example);

  addCommand(group, 'list', 'list an organization’s latest changes', `${example} --limit 5`)
    .addOption(organizationOption())
    .option('--limit <number>', 'maximum number', parseLimit, 20)
    .action(async ({ org, limit, ...options }: OutputOptions & { org: string; limit: number }) => {
      const { rows } = await withDatabase(async (deps) => {
        const { organization_id: organizationId } = await findOrganization(deps, org);
        return await listEvents(deps, { organizationId, page: { limit } });
      });
      printMany(options, rows, (event) => ({
        when: event.created_at,
        who: event.actor.name,
        from: event.actor.address,
        environment: event.environment,
        what: event.sentence,
        id: event.target,
      }));
    });
}
