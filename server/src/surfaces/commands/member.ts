import { type Command, Option } from 'commander';
import { addCommand, addGroup, organizationOption } from '../../core/command-line/add-command.ts';
import { confirm, FOR_EVER } from '../../core/command-line/confirm.ts';
import { operator } from '../../core/command-line/operator.ts';
import { parseEmail, parseRole } from '../../core/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../core/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../core/command-line/with-database.ts';
import { withOrganization } from '../../core/command-line/with-organization.ts';
import { activateMember } from '../../core/organizations/activate-member.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import type { AdminChange, ChangedMember, MemberChange } from '../../core/organizations/change-member.ts';
import { changeMemberRole } from '../../core/organizations/change-role.ts';
import { deactivateMember } from '../../core/organizations/deactivate-member.ts';
import { findMember } from '../../core/organizations/find-member.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import type { PresentedMember } from '../../core/organizations/present-member.ts';
import { resendInvitation } from '../../core/organizations/resend-invitation.ts';
import { builtInRoles, type RoleId } from '../../platform/authentication/roles.ts';
import { eraseMember } from '../portal/sign-in/erase-member.ts';
import { resetSignIn } from '../portal/sign-in/reset-sign-in.ts';

export function memberCommands(program: Command): void {
  const group = addGroup(
    program,
    'member',
    'members of organizations',
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
    .addOption(roleOption())
    .action(async (options: OutputOptions & { org?: string; email: string; role: RoleId }) => {
      const input = { email: options.email, role: options.role, actor: operator() };
      const act = (deps: CommandDeps, organizationId: string) => addMember(deps, { organizationId, ...input });
      printOne(options, await withOrganization(options.org, act), present);
    });

  addCommand(group, 'list', 'list an organization’s members', 'member list --org org_01h455vb4pex5vsknk084sn02q')
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      printMany(options, await withOrganization(options.org, listMembers), present);
    });

  addCommand(group, 'deactivate', 'deactivate a member', 'member deactivate mem_01h455vb4pex5vsknk084sn02q')
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      await changeAdmin(options, id, deactivateMember);
    });

  changeCommand(group, 'activate', 'activate a deactivated member', activateMember);
  changeCommand(group, 'invite-again', 'email a person again that they are invited or were added', resendInvitation);

  addCommand(group, 'role', 'change a member’s role', 'member role mem_01h455vb4pex5vsknk084sn02q --role admin')
    .argument('<id>', 'the member (mem_…)')
    .addOption(roleOption())
    .action(async (id: string, options: OutputOptions & { role: RoleId }) => {
      const { role } = options;
      await changeAdmin(options, id, (deps, change) => changeMemberRole(deps, { ...change, role }));
    });

  resetCommand(group);
  eraseCommand(group);
}

function eraseCommand(group: Command): void {
  addCommand(group, 'erase', 'deactivate a member and erase the address', 'member erase mem_01h455vb4pex5vsknk084sn02q')
    .argument('<id>', 'the member (mem_…)')
    .option('--yes', 'skip the question')
    .action(async (id: string, options: OutputOptions & { yes?: boolean }) => {
      await confirm(`This removes the member’s address and sign-in. ${FOR_EVER}`, options.yes ?? false);
      const erased = await withDatabase(async (deps) =>
        eraseMember(deps, { ...(await findMember(deps, id)), actor: operator() }),
      );
      printOne(options, erased, present);
    });
}

function resetCommand(group: Command): void {
  addCommand(
    group,
    'reset-sign-in',
    'remove a member’s authenticator app, recovery codes, passkeys and sessions',
    'member reset-sign-in mem_01h455vb4pex5vsknk084sn02q',
  )
    .argument('<id>', 'the member (mem_…)')
    .option('--yes', 'skip the question')
    .action(async (id: string, options: OutputOptions & { yes?: boolean }) => {
      const changed = await withDatabase(async (deps) => {
        const found = await findMember(deps, id);
        const member = (await listMembers(deps, found.organizationId)).find(({ member_id }) => member_id === id);
        const question = `From now on a code by mail is enough to sign in as ${member?.email}, in every organization. ${FOR_EVER}`;
        await confirm(question, options.yes ?? false, member?.email ?? 'yes');
        return resetSignIn(deps, { ...found, actor: operator() });
      });
      printOne(options, changed, present);
    });
}

function changeCommand(
  group: Command,
  name: string,
  description: string,
  act: (deps: CommandDeps, change: MemberChange) => Promise<PresentedMember>,
): void {
  addCommand(group, name, description, `member ${name} mem_01h455vb4pex5vsknk084sn02q`)
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      const changed = await withDatabase(async (deps) =>
        act(deps, { ...(await findMember(deps, id)), actor: operator() }),
      );
      printOne(options, changed, present);
    });
}

const roleOption = (): Option =>
  new Option('--role <role>', `${builtInRoles.join(', ')}, or an own role (role_…)`)
    .argParser(parseRole)
    .makeOptionMandatory();

/** The operator may remove the last admin, with a warning. */
async function changeAdmin(
  options: OutputOptions,
  id: string,
  act: (deps: CommandDeps, change: AdminChange) => Promise<ChangedMember>,
): Promise<void> {
  const { member, wasLastActiveAdmin } = await withDatabase(async (deps) =>
    act(deps, { ...(await findMember(deps, id)), actor: operator(), keepsAdmin: false }),
  );
  if (wasLastActiveAdmin)
    printRemark(
      `Warning: ${member.organization_id} has no active admin left. It can order only while its billing contact is an active member.`,
    );
  printOne(options, member, present);
}

function present(member: PresentedMember) {
  return {
    member: member.member_id,
    organization: member.organization_id,
    email: member.email,
    role: member.role,
    deactivated: member.deactivated_at,
    invitation: member.invitation,
  };
}
