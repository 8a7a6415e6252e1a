import { api, ORGANIZATION_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

export type Member = components['schemas']['Member'];

export const membersQuery = (organizationId: string) => ({
  queryKey: ['members', organizationId] as const,
  queryFn: () =>
    unwrap(api.GET(`${ORGANIZATION_PATH}/members`, { params: { path: { organization_id: organizationId } } })),
});

interface Path {
  organization_id: string;
  member_id: string;
}

interface MemberAct {
  /** In the menu and on the button. */
  label: string;
  title: (email: string) => string;
  description: string;
  /** A warning if the members would change themselves. */
  toOneself?: string;
  isDanger: boolean;
  /** Whether it removes an admin. */
  removesAdmin: boolean;
  isOffered: (member: Member) => boolean;
  call: (path: Path) => Promise<unknown>;
  done: (email: string) => string;
}

const ONE = `${ORGANIZATION_PATH}/members/{member_id}` as const;
export const isActive = ({ deactivated_at }: Member) => deactivated_at === null;
export const isActiveAdmin = (member: Member) => isActive(member) && member.role === 'admin';

/** The actions on a member, in the order of the menu. */
export const memberActs = {
  bill: {
    label: 'Make billing contact',
    title: (email) => `Make ${email} the billing contact?`,
    description: 'New orders are attributed to this person, who also gets low-balance alerts.',
    isDanger: false,
    removesAdmin: false,
    isOffered: (member) => isActive(member) && !member.is_billing_contact,
    call: (path) => unwrap(api.POST(`${ONE}/billing-contact`, { params: { path } })),
    done: (email) => `${email} is now the billing contact.`,
  },
  withdraw: {
    label: 'Withdraw invitation',
    title: (email) => `Withdraw the invitation of ${email}?`,
    description: 'The person can no longer accept it.',
    isDanger: true,
    removesAdmin: false,
    isOffered: ({ invitation }) => invitation === 'pending',
    call: (path) => unwrap(api.POST(`${ONE}/deactivate`, { params: { path } })),
    done: (email) => `Invitation of ${email} withdrawn.`,
  },
  invite: {
    label: 'Invite again',
    title: (email) => `Invite ${email} again?`,
    description: 'We email the invitation. The person gets access when they accept it.',
    isDanger: false,
    removesAdmin: false,
    isOffered: ({ invitation }) => invitation === 'ended',
    call: (path) => unwrap(api.POST(`${ONE}/activate`, { params: { path } })),
    done: (email) => `Invitation sent to ${email}.`,
  },
  deactivate: {
    label: 'Deactivate',
    title: (email) => `Deactivate ${email}?`,
    description:
      'The person loses access to this organization immediately. Keys that they created keep working: revoke those that the person may still have.',
    toOneself: 'This is you: you lose access immediately, until another admin activates you again.',
    isDanger: true,
    removesAdmin: true,
    isOffered: isActive,
    call: (path) => unwrap(api.POST(`${ONE}/deactivate`, { params: { path } })),
    done: (email) => `${email} deactivated.`,
  },
  activate: {
    label: 'Activate',
    title: (email) => `Activate ${email} again?`,
    description: 'The person gets access again immediately, with the same role as before.',
    isDanger: false,
    removesAdmin: false,
    isOffered: (member) => !isActive(member) && member.invitation === null,
    call: (path) => unwrap(api.POST(`${ONE}/activate`, { params: { path } })),
    done: (email) => `${email} activated.`,
  },
} satisfies Record<string, MemberAct>;

export type MemberActName = keyof typeof memberActs;

export const memberAct = (name: MemberActName): MemberAct => memberActs[name];
