import { type Command, Option } from 'commander';
import { activateMember } from '../../core/organizations/activate-member.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import type { AdminChange, ChangedMember, MemberChange } from '../../core/organizations/change-member.ts';
import { changeMemberRole } from '../../core/organizations/change-role.ts';
import { deactivateMember } from '../../core/organizations/deactivate-member.ts';
import { findMember } from '../../core/organizations/find-member.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import type { PresentedMember } from '../../core/organizations/present-member.ts';
import { resendInvitation } from '../../core/organizations/resend-invitation.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseEmail, parseRole } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { builtInRoles, type RoleId } from '../../platform/authentication/roles.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
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

  addCommand(group, 'deactivate', 'deactivate a member', 'member deactivate mem_01h455vb4pex5vsknk084sn02q', {
    confirms: deactivation,
  })
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      await changeAdmin(options, id, deactivateMember);
    });

  changeCommand(group, 'activate', 'activate a deactivated member', activateMember);
  changeCommand(group, 'invite-again', 'email a person again that they are invited or were added', resendInvitation);

  addCommand(group, 'role', 'change a member’s role', 'member role mem_01h455vb4pex5vsknk084sn02q --role admin', {
    confirms: lesserRole,
  })
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
  addCommand(
    group,
    'erase',
    'deactivate a member and erase the address',
    'member erase mem_01h455vb4pex5vsknk084sn02q',
    {
      confirms: erasure,
    },
  )
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
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
    { confirms: reset },
  )
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      const changed = await withDatabase(async (deps) =>
        resetSignIn(deps, { ...(await findMember(deps, id)), actor: operator() }),
      );
      printOne(options, changed, present);
    });
}

/** Finds the member whom a question names: `ann@acme.example, admin of Acme (org_…)`. */
async function named(deps: CommandDeps, id: string) {
  const { organizationId } = await findMember(deps, id);
  const member = (await listMembers(deps, organizationId)).find(({ member_id }) => member_id === id);
  if (member === undefined) throw new OperatorError(`There is no member ${id}.`);
  return { member, name: `${member.email}, ${member.role} of ${await nameOrganization(deps, organizationId)}` };
}

// The questions before what a command takes away; undefined if it takes nothing away.

async function deactivation(deps: CommandDeps, id: string) {
  const { member, name } = await named(deps, id);
  if (member.deactivated_at !== null) return undefined;
  return `Deactivate ${name}? The organization is closed to them at once.`;
}

/** Admins have every permission, and so lose none by becoming one. */
async function lesserRole(deps: CommandDeps, id: string, { role }: { role: RoleId }) {
  const { member, name } = await named(deps, id);
  if (role === 'admin' || role === member.role) return undefined;
  return `Change the role of ${name}, to ${role}? What only the earlier role may do is refused at once.`;
}

const reset = async (deps: CommandDeps, id: string) =>
  `Reset the sign-in of ${(await named(deps, id)).name}? The authenticator app, recovery codes, passkeys and sessions are removed, and a code by mail is then enough to sign in, in every organization. ${FOR_EVER}`;

const erasure = async (deps: CommandDeps, id: string) =>
  `Erase ${(await named(deps, id)).name}? The address and the sign-in are removed. ${FOR_EVER}`;

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
