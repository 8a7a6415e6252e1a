import type { Command } from 'commander';
import { verifyAudit } from '../../capabilities/seals/verify-audit.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { parseLimit } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import { printReport } from '../../faces/command-line/print-report.ts';
import { showWork } from '../../faces/command-line/show-progress.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { listAuditEvents } from '../audit-log.ts';
import { checkpointOption, readCheckpoint } from './read-checkpoint.ts';

export function auditCommands(program: Command): void {
  const example = 'audit list --org org_01h455vb4pex5vsknk084sn02q';
  const group = addGroup(program, 'audit', 'audit log: who changed what, when and from where', example);

  addCommand(group, 'list', 'list an organization’s latest changes', `${example} --limit 5`)
    .addOption(organizationOption())
    .option('--limit <number>', 'maximum number', parseLimit, 20)
    .action(async ({ org, limit, ...options }: OutputOptions & { org?: string; limit: number }) => {
      const { rows } = await withOrganization(org, async (deps, id) => {
        const { organization_id: organizationId } = await findOrganization(deps, id);
        return await listAuditEvents(deps, { organizationId, page: { limit } });
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

  addCommand(group, 'verify', 'hash every sealed event again and follow each organization’s chain', 'audit verify')
    .addOption(checkpointOption())
    .action(async ({ checkpoint, ...options }: OutputOptions & { checkpoint?: string }) => {
      const ends = await readCheckpoint(checkpoint);
      const report = await showWork('Verifying the audit logs', (say) =>
        withDatabase((deps) => verifyAudit(deps, ends, say), { migrates: false }),
      );
      const { sealed_events, waiting_events } = report.checked;
      if (options.json) printOne(options, report, () => ({}));
      else printReport({ 'sealed events': sealed_events, 'waiting events': waiting_events }, report);
      if (!report.holds) throw new OperatorError('The audit log was changed; see the faults above.');
    });
}
