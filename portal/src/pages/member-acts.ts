import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';

export type Member = components['schemas']['Member'];

/** Under which an organization's members are kept. */
export const membersQueryKey = (organizationId: string) => ['members', organizationId] as const;

export const membersQuery = (organizationId: string) => ({
  queryKey: membersQueryKey(organizationId),
  queryFn: () =>
    unwrap(
      api.GET('/portal/api/organizations/{organization_id}/members', {
        params: { path: { organization_id: organizationId } },
      }),
    ),
});

interface Path {
  organization_id: string;
  member_id: string;
}

interface MemberAct {
  /** In the menu. */
  label: string;
  title: (email: string) => string;
  /** What it does. */
  description: string;
  /** What it does where the member is the person who does it. */
  toOneself?: string;
  /** On the button. */
  action: string;
  isDanger: boolean;
  /** Whether it would take an admin away. */
  takesAdmin: boolean;
  isOffered: (member: Member) => boolean;
  call: (path: Path) => Promise<unknown>;
  done: (email: string) => string;
}

const ONE = '/portal/api/organizations/{organization_id}/members/{member_id}';
const isActive = ({ deactivated_at }: Member) => deactivated_at === null;
export const isActiveAdmin = (member: Member) => isActive(member) && member.role === 'admin';

/** All that can be done with a member, in the order of the menu. */
export const memberActs = {
  promote: {
    label: 'Make an admin',
    title: (email) => `Make ${email} an admin?`,
    description: 'Admins create and revoke keys, send gifts to other addresses, and manage members and the sandbox.',
    action: 'Make an admin',
    isDanger: false,
    takesAdmin: false,
    isOffered: (member) => isActive(member) && member.role === 'member',
    call: (path) => unwrap(api.PUT(`${ONE}/role`, { params: { path }, body: { role: 'admin' } })),
    done: (email) => `${email} is an admin.`,
  },
  demote: {
    label: 'Make a member',
    title: (email) => `Make ${email} a member?`,
    description: 'Members who are not admins see everything and change nothing. Keys that the person created stay.',
    toOneself: 'This is you: you will change nothing here any more, until another admin makes you an admin again.',
    action: 'Make a member',
    isDanger: true,
    takesAdmin: true,
    isOffered: isActiveAdmin,
    call: (path) => unwrap(api.PUT(`${ONE}/role`, { params: { path }, body: { role: 'member' } })),
    done: (email) => `${email} is a member and no admin any more.`,
  },
  bill: {
    label: 'Name as billing contact',
    title: (email) => `Name ${email} as the billing contact?`,
    description: 'New orders are attributed to this person, and they get the mails about a low balance.',
    action: 'Name as billing contact',
    isDanger: false,
    takesAdmin: false,
    isOffered: (member) => isActive(member) && !member.is_billing_contact,
    call: (path) => unwrap(api.POST(`${ONE}/billing-contact`, { params: { path } })),
    done: (email) => `${email} is the billing contact.`,
  },
  deactivate: {
    label: 'Deactivate',
    title: (email) => `Deactivate ${email}?`,
    description:
      'The person loses access to this organization at once. Keys that they created stay: revoke those that they may have kept.',
    toOneself: 'This is you: you lose access at once, until another admin activates you again.',
    action: 'Deactivate',
    isDanger: true,
    takesAdmin: true,
    isOffered: isActive,
    call: (path) => unwrap(api.POST(`${ONE}/deactivate`, { params: { path } })),
    done: (email) => `${email} is deactivated.`,
  },
  activate: {
    label: 'Activate',
    title: (email) => `Activate ${email} again?`,
    description: 'The person has access again at once, in the role that they had.',
    action: 'Activate',
    isDanger: false,
    takesAdmin: false,
    isOffered: (member) => !isActive(member),
    call: (path) => unwrap(api.POST(`${ONE}/activate`, { params: { path } })),
    done: (email) => `${email} is active again.`,
  },
} satisfies Record<string, MemberAct>;

export type MemberActName = keyof typeof memberActs;

export const memberAct = (name: MemberActName): MemberAct => memberActs[name];
