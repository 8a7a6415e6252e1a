import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { roleWords } from '../../../base/roles.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { type Role, roleOptions } from './member-add.tsx';
import type { Organization } from './organization-query.ts';

type Member = Organization['members'][number];
type ActName = 'activate' | 'deactivate' | 'invite-again' | 'reset-sign-in' | 'billing-contact';
type Chosen = ActName | 'role';

interface ActWords {
  label: string;
  title: (email: string) => string;
  description: ReactNode;
  isDanger?: boolean;
  done: (email: string) => string;
  /** Undefined if no command does it. */
  command: ((organizationId: string, memberId: string) => string) | undefined;
}

const acts: Record<ActName, ActWords> = {
  'billing-contact': {
    label: 'Make billing contact',
    title: (email) => `Make ${email} the billing contact?`,
    description: 'New orders of this organization are attributed to this member.',
    done: (email) => `${email} is the billing contact.`,
    command: (organizationId, memberId) => `bestow org billing-contact ${organizationId} --member ${memberId}`,
  },
  'invite-again': {
    label: 'Send the invitation again',
    title: (email) => `Email ${email} again?`,
    description: 'The person gets one more mail that says how to open the portal.',
    done: (email) => `The mail to ${email} is on its way.`,
    command: undefined,
  },
  'reset-sign-in': {
    label: 'Reset the sign-in',
    title: (email) => `Reset the sign-in of ${email}?`,
    description:
      'Removes the authenticator app, recovery codes, passkeys and sessions of this person, in all organizations. All admins get a mail. First make sure that it is the person who asks.',
    isDanger: true,
    done: (email) => `${email} can sign in with a mailed code again.`,
    command: (_, memberId) => `bestow member reset-sign-in ${memberId} --yes`,
  },
  deactivate: {
    label: 'Deactivate',
    title: (email) => `Deactivate ${email}?`,
    description: 'The person can no longer open this organization’s portal, at once.',
    isDanger: true,
    done: (email) => `${email} is deactivated.`,
    command: (_, memberId) => `bestow member deactivate ${memberId} --yes`,
  },
  activate: {
    label: 'Reactivate',
    title: (email) => `Reactivate ${email}?`,
    description: 'The person can open this organization’s portal again, with the same role.',
    done: (email) => `${email} is active again.`,
    command: (_, memberId) => `bestow member activate ${memberId}`,
  },
};

const choicesOf = ({ deactivated_at, member_id, invitation }: Member, billingContact: string | null): Chosen[] => {
  if (deactivated_at !== null) return invitation === 'pending' ? ['invite-again', 'activate'] : ['activate'];
  return [
    ...(member_id === billingContact ? [] : ['billing-contact' as const]),
    'role',
    'invite-again',
    'reset-sign-in',
    'deactivate',
  ];
};

interface OfMember {
  organization: Organization;
  member: Member;
}

/** What can be done to one member, in a menu. */
export function MemberActs({ organization, member }: OfMember) {
  const [chosen, setChosen] = useState<Chosen>();
  const selected = useRef<Chosen>(undefined);
  const close = () => setChosen(undefined);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={buttonClass({ size: 'small' })}>
          Change<span className="sr-only"> {member.email}</span>
        </DropdownMenu.Trigger>
        {/* Inside the `main` landmark, for screen readers. */}
        <DropdownMenu.Portal container={document.getElementById('content')}>
          <DropdownMenu.Content
            align="end"
            sideOffset={6}
            collisionPadding={16}
            className="z-20 min-w-56 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-soft"
            // Only when the menu is closed, so that the dialog knows which button gets the focus back.
            onCloseAutoFocus={() => {
              if (selected.current !== undefined) setChosen(selected.current);
              selected.current = undefined;
            }}
          >
            {choicesOf(member, organization.billing_contact_member_id).map((name) => (
              <DropdownMenu.Item
                key={name}
                onSelect={() => {
                  selected.current = name;
                }}
                className={`cursor-pointer rounded-lg px-3 py-2 outline-none data-highlighted:bg-sunken ${name !== 'role' && acts[name].isDanger ? 'text-bad' : ''}`}
              >
                {name === 'role' ? 'Change the role' : acts[name].label}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {chosen === 'role' && <RoleDialog organization={organization} member={member} onClose={close} />}
      {chosen !== undefined && chosen !== 'role' && (
        <MemberActDialog name={chosen} organization={organization} member={member} onClose={close} />
      )}
    </>
  );
}

const pathOf = ({ organization, member }: OfMember) => ({
  params: { path: { organization_id: organization.organization_id, member_id: member.member_id } },
});

function MemberActDialog({ name, onClose, ...of }: OfMember & { name: ActName; onClose: () => void }) {
  const { label, title, description, isDanger = false, done, command } = acts[name];
  const { email, member_id } = of.member;
  return (
    <ActDialog
      onClose={onClose}
      title={title(email)}
      description={description}
      action={label}
      isDanger={isDanger}
      readBy="organization"
      command={command?.(of.organization.organization_id, member_id)}
      send={(reason) =>
        unwrap(
          operatorApi.POST(`/operator/api/organizations/{organization_id}/members/{member_id}/${name}`, {
            ...pathOf(of),
            body: { reason },
          }),
        )
      }
      done={done(email)}
    />
  );
}

/** With an own role, which the organization gives, if the member has one. */
const optionsWith = (present: Role) =>
  roleOptions.some(({ value }) => value === present)
    ? roleOptions
    : [{ value: present, label: roleWords(present).name }, ...roleOptions];

function RoleDialog({ onClose, ...of }: OfMember & { onClose: () => void }) {
  const [role, setRole] = useState<Role>(of.member.role);
  const { email, member_id } = of.member;
  return (
    <ActDialog
      onClose={onClose}
      title={`Change the role of ${email}`}
      action="Change role"
      readBy="organization"
      command={`bestow member role ${member_id} --role ${role} --yes`}
      isIncomplete={role === of.member.role}
      send={(reason) =>
        unwrap(
          operatorApi.PUT('/operator/api/organizations/{organization_id}/members/{member_id}/role', {
            ...pathOf(of),
            body: { role, reason },
          }),
        )
      }
      done={`${email} is ${roleWords(role).words} now.`}
    >
      <SelectField
        label="Role"
        value={role}
        onChange={setRole}
        options={optionsWith(of.member.role)}
        hint={roleWords(role).says}
      />
    </ActDialog>
  );
}
