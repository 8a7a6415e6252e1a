import { type Command, Option } from 'commander';
import { activateMember } from '../../core/organizations/activate-member.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import type { ChangedMember } from '../../core/organizations/change-member.ts';
import { changeMemberRole } from '../../core/organizations/change-role.ts';
import { deactivateMember } from '../../core/organizations/deactivate-member.ts';
import { findMember } from '../../core/organizations/find-member.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import type { PresentedMember } from '../../core/organizations/present-member.ts';
import { resendInvitation } from '../../core/organizations/resend-invitation.ts';
import { setBillingContact } from '../../core/organizations/set-billing-contact.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseEmail, parseRole } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { actOn, pageAct, type Subject } from '../../faces/operator-acts/operator-act.ts';
import { builtInRoles, type RoleId } from '../../platform/authentication/roles.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { eraseMember } from '../portal/sign-in/erase-member.ts';
import { resetSignIn } from '../portal/sign-in/reset-sign-in.ts';

const members: Subject<{ organizationId: string }> = {
  tag: 'Members',
  path: '/organizations/{organization_id}/members',
  id: 'organization_id',
  example: '--org org_01h455vb4pex5vsknk084sn02q',
  placeholder: '--org ORG',
  take: (command) => command.addOption(organizationOption()),
  find: async (deps, { organization_id: id }) => ({ organizationId: await identifyOrganization(deps, id) }),
};

const member: Subject<Awaited<ReturnType<typeof findMember>>> = {
  tag: 'Members',
  path: `${members.path}/{member_id}`,
  id: 'member_id',
  example: 'mem_01h455vb4pex5vsknk084sn02q',
  placeholder: 'MEMBER',
  take: (command) => command.argument('<id>', 'the member (mem_…)'),
  async find(deps, { organization_id: ofPath, member_id: id = '' }) {
    const found = await findMember(deps, id);
    if (ofPath !== undefined && found.organizationId !== ofPath) throw new BestowError('not_found');
    return found;
  },
};

const roleOption = () =>
  new Option('--role <role>', `${builtInRoles.join(', ')}, or an own role (role_…)`)
    .argParser(parseRole)
    .makeOptionMandatory();

/** What an operator can do to members. */
export const memberActs = {
  add: actOn(members, {
    word: 'add',
    path: '',
    operationId: 'addMember',
    summary: 'Adds an active member, such as another first admin, who gets a mail.',
    help: 'add an active member',
    does: 'Adds an active member, without an invitation.',
    usage: '--email EMAIL --role ROLE',
    body: ({ email, Role }) => ({ email: email('The mail goes there.'), role: Role }),
    response: ({ Type }) => Type.Object({ member_id: Type.String() }),
    options: (command) =>
      command.requiredOption('--email <email>', 'the member’s address', parseEmail).addOption(roleOption()),
    example: '--email bob@acme.example --role member',
    run: (deps, of, { email, role }) => addMember(deps, { ...of, email, role }),
    print: print,
  }),

  role: actOn(member, {
    word: 'role',
    method: 'PUT',
    operationId: 'changeMemberRole',
    summary: 'Changes a member’s role.',
    help: 'change a member’s role',
    does: "Changes a member's role.",
    usage: '--role ROLE',
    body: ({ Role }) => ({ role: Role }),
    options: (command) => command.addOption(roleOption()),
    example: '--role admin',
    confirms: lesserRole,
    run: (deps, change, { role }) => changeMemberRole(deps, { ...change, role, keepsAdmin: false }),
    print: printChanged,
  }),

  activate: actOn(member, {
    word: 'activate',
    operationId: 'activateMember',
    summary: 'Reactivates a member.',
    help: 'activate a deactivated member',
    does: 'Reactivates a member.',
    run: activateMember,
    print: print,
  }),

  deactivate: actOn(member, {
    word: 'deactivate',
    operationId: 'deactivateMember',
    summary: 'Deactivates a member at once.',
    help: 'deactivate a member',
    does: 'Deactivates a member.',
    confirms: deactivation,
    run: (deps, change) => deactivateMember(deps, { ...change, keepsAdmin: false }),
    print: printChanged,
  }),

  inviteAgain: actOn(member, {
    word: 'invite-again',
    operationId: 'resendInvitation',
    summary: 'Emails a person once more that they are invited or were added.',
    help: 'email a person again that they are invited or were added',
    does: 'Emails a person again that they are invited or were added.',
    run: resendInvitation,
    print: print,
  }),

  resetSignIn: actOn(member, {
    word: 'reset-sign-in',
    operationId: 'resetSignIn',
    summary: 'Removes a person’s authenticator app, recovery codes, passkeys and sessions. All admins get a mail.',
    help: 'remove a member’s authenticator app, recovery codes, passkeys and sessions',
    does: "Removes a member's authenticator app, recovery codes, passkeys and sessions, and forgets wrong codes.",
    confirms: reset,
    run: resetSignIn,
    print: print,
  }),
};

/** For the page alone: the command begins at the organization. */
export const billingContactAct = pageAct(member, {
  word: 'billing-contact',
  operationId: 'setBillingContact',
  summary: 'Attributes the organization’s orders to a member.',
  run: setBillingContact,
});

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

async function reset(deps: CommandDeps, id: string) {
  return `Reset the sign-in of ${(await named(deps, id)).name}? The authenticator app, recovery codes, passkeys and sessions are removed, and a code by mail is then enough to sign in, in every organization. ${FOR_EVER}`;
}

/** The operator may remove the last admin, with a warning. */
function printChanged(options: OutputOptions, { member, wasLastActiveAdmin }: ChangedMember): void {
  if (wasLastActiveAdmin)
    printRemark(
      `Warning: ${member.organization_id} has no active admin left. It can order only while its billing contact is an active member.`,
    );
  print(options, member);
}

function print(options: OutputOptions, member: PresentedMember): void {
  printOne(options, member, present);
}

const present = (member: PresentedMember) => ({
  member: member.member_id,
  organization: member.organization_id,
  email: member.email,
  role: member.role,
  deactivated: member.deactivated_at,
  invitation: member.invitation,
});

export function memberCommands(program: Command): void {
  const example = `member list ${members.example}`;
  const group = addGroup(program, 'member', 'members of organizations', example);
  memberActs.add.addTo(group);

  addCommand(group, 'list', 'list an organization’s members', example)
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      printMany(options, await withOrganization(options.org, listMembers), present);
    });

  memberActs.deactivate.addTo(group);
  memberActs.activate.addTo(group);
  memberActs.inviteAgain.addTo(group);
  memberActs.role.addTo(group);
  memberActs.resetSignIn.addTo(group);

  addCommand(group, 'erase', 'deactivate a member and erase the address', `member erase ${member.example}`, {
    confirms: erasure,
  })
    .argument('<id>', 'the member (mem_…)')
    .action(async (id: string, options: OutputOptions) => {
      const erased = await withDatabase(async (deps) =>
        eraseMember(deps, { ...(await findMember(deps, id)), actor: operator() }),
      );
      printOne(options, erased, present);
    });
}

const erasure = async (deps: CommandDeps, id: string) =>
  `Erase ${(await named(deps, id)).name}? The address and the sign-in are removed. ${FOR_EVER}`;
