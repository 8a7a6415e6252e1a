import { CheckIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Permission } from '../../api/permissions.ts';
import { type RoleRow, rolesQuery } from '../../api/roles.ts';
import { useScope } from '../../api/use-scope.ts';
import { roleWords } from '../../base/roles.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { RemoveRoleDialog, RoleDialog } from './role-dialogs.tsx';

type Asked = { act: 'create' } | { act: 'change' | 'remove'; role: RoleRow };

/** What each role includes: the organization's own ones, which admins change, and the built-in ones. */
export function RolesPage() {
  const { organizationId, may } = useScope();
  const [asked, setAsked] = useState<Asked>();
  const roles = useQuery(rolesQuery(organizationId));
  const words = roles.data?.permissions ?? [];
  const close = () => setAsked(undefined);
  return (
    <Page
      title="Roles"
      description="A role says what a person sees and does in the portal. Each member has one."
      actions={
        may('members') && (
          <Button variant="primary" onClick={() => setAsked({ act: 'create' })} disabled={roles.data === undefined}>
            New role
          </Button>
        )
      }
    >
      <Panel title="Your own roles" description="Named by your organization.">
        <Loaded query={roles} lines={3}>
          {({ data }) => <OwnRoles roles={data.filter(({ is_own }) => is_own)} words={words} onAsk={setAsked} />}
        </Loaded>
      </Panel>
      <Panel title="Built-in roles" description="Every organization has these. They cannot be changed.">
        <Loaded query={roles} lines={12}>
          {({ data }) => (
            <ul className="divide-y divide-line border-t border-line">
              {data
                .filter(({ is_own }) => !is_own)
                .map((role) => (
                  <Role key={role.role} role={role} words={words} about={roleWords(role.role).says} />
                ))}
            </ul>
          )}
        </Loaded>
      </Panel>
      {asked?.act === 'create' && <RoleDialog words={words} onClose={close} />}
      {asked?.act === 'change' && <RoleDialog role={asked.role} words={words} onClose={close} />}
      {asked?.act === 'remove' && <RemoveRoleDialog role={asked.role} onClose={close} />}
    </Page>
  );
}

type Words = readonly { permission: Permission; says: string }[];

interface OwnRolesProps {
  roles: readonly RoleRow[];
  words: Words;
  onAsk: (asked: Asked) => void;
}

function OwnRoles({ roles, words, onAsk }: OwnRolesProps) {
  const { may } = useScope();
  if (roles.length === 0)
    return (
      <EmptyState title="No own roles yet">
        {may('members')
          ? 'If no built-in role fits, create one and choose what it includes.'
          : 'An admin can create one if no built-in role fits.'}
      </EmptyState>
    );
  return (
    <ul className="divide-y divide-line border-t border-line">
      {roles.map((role) => (
        <Role key={role.role} role={role} words={words} about={<Members count={role.members} />}>
          {may('members') && (
            <div className="mt-3 flex flex-wrap gap-2">
              <Button
                size="small"
                onClick={() => onAsk({ act: 'change', role })}
                aria-label={`Change the role ${role.name}`}
              >
                Change
              </Button>
              <Button
                size="small"
                variant="danger"
                onClick={() => onAsk({ act: 'remove', role })}
                aria-label={`Remove the role ${role.name}`}
              >
                Remove
              </Button>
            </div>
          )}
        </Role>
      ))}
    </ul>
  );
}

const Members = ({ count }: { count: number }) => (count === 0 ? 'No members' : countOf(count, 'member'));

interface RoleProps {
  role: RoleRow;
  words: Words;
  /** Below the name. */
  about: ReactNode;
  children?: ReactNode;
}

function Role({ role: { role, name, permissions }, words, about, children }: RoleProps) {
  const { membership } = useScope();
  return (
    <li className="grid gap-x-8 gap-y-3 py-5 last:pb-0 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-sans text-[0.9375rem] font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
          {membership.role === role && <Badge tone="plain">Your role</Badge>}
        </h3>
        <p className="mt-0.5 text-sm text-soft">{about}</p>
        {children}
      </div>
      <ul className="gap-x-6 sm:columns-2">
        {words
          .filter(({ permission }) => permissions.includes(permission))
          .map(({ permission, says }) => (
            <li key={permission} className="flex break-inside-avoid items-start gap-2 pb-1">
              <CheckIcon aria-hidden className="mt-1 size-4 shrink-0 text-good" />
              <span className="first-letter:uppercase">{says}</span>
            </li>
          ))}
      </ul>
    </li>
  );
}
