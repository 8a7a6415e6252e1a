import { type Command, Option } from 'commander';
import { activateMember } from '../organizations/activate-member.ts';
import { addMember } from '../organizations/add-member.ts';
import { deactivateMember } from '../organizations/deactivate-member.ts';
import { listMembers } from '../organizations/list-members.ts';
import type { PresentedMember } from '../organizations/present-member.ts';
import { addCommand, addGroup, organizationOption } from './add-command.ts';
import { parseEmail } from './parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from './print.ts';
import { withDatabase } from './with-database.ts';

export function memberCommands(program: Command): void {
  const group = addGroup(
    program,
    'member',
    'members: an organization’s people',
    'member list --org org_01h455vb4pex5vsknk084sn02q',
  );

  addCommand(
    group,
    'add',
    'add an active member',
    'member add --org org_01h455vb4pex5vsknk084sn02q --email bob@acme.example --role member',
  )
    .addOption(organizationOption())
    .requiredOption('--email <email>', 'the member’s address', parseEmail)
    .addOption(
      new Option('--role <role>', 'an admin may manage the organization')
        .choices(['admin', 'member'])
        .makeOptionMandatory(),
    )
    .action(async (options: OutputOptions & { org: string; email: string; role: 'admin' | 'member' }) => {
      const input = { organizationId: options.org, email: options.email, role: options.role };
      printOne(options, await withDatabase((deps) => addMember(deps, input)), present);
    });

  addCommand(group, 'list', 'list the members of an organization', 'member list --org org_01h455vb4pex5vsknk084sn02q')
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org: string }) => {
      printMany(options, await withDatabase((deps) => listMembers(deps, options.org)), present);
    });

  addCommand(group, 'deactivate', 'end a member’s part', 'member deactivate mem_01h455vb4pex5vsknk084sn02q')
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      const { member, wasLastActiveAdmin } = await withDatabase((deps) => deactivateMember(deps, id));
      if (wasLastActiveAdmin)
        printRemark(
          `Warning: ${member.organization_id} has no active admin left; it can order only while its billing contact is an active member.`,
        );
      printOne(options, member, present);
    });

  addCommand(group, 'activate', 'take a deactivated member back', 'member activate mem_01h455vb4pex5vsknk084sn02q')
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      printOne(options, await withDatabase((deps) => activateMember(deps, id)), present);
    });
}

function present(member: PresentedMember) {
  return {
    member: member.member_id,
    organization: member.organization_id,
    email: member.email,
    role: member.role,
    deactivated: member.deactivated_at,
  };
}
