import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from '../api/permissions.ts';
import { useScope } from '../api/use-scope.ts';

interface Act {
  label: string;
  /** One of these, now. */
  needs: readonly Permission[];
  link: LinkProps;
}

const acts: readonly Act[] = [
  { label: 'Send a gift', needs: ['order', 'request'], link: { to: '/$organizationId/$environment/gifts/send' } },
  { label: 'Send many gifts', needs: ['order'], link: { to: '/$organizationId/$environment/gifts/send-many' } },
  {
    label: 'Add a contact',
    needs: ['settings'],
    link: { to: '/$organizationId/$environment/contacts', search: { add: 'contact' } },
  },
  {
    label: 'Import contacts',
    needs: ['settings'],
    link: { to: '/$organizationId/$environment/contacts/import' },
  },
  {
    label: 'Add a rule for birthdays',
    needs: ['settings'],
    link: { to: '/$organizationId/$environment/calendar', search: { add: 'rule' } },
  },
  { label: 'Add funds', needs: ['pay'], link: { to: '/$organizationId/$environment/balance' } },
  {
    label: 'Invite a person',
    needs: ['members'],
    link: { to: '/$organizationId/$environment/members', search: { add: 'member' } },
  },
  {
    label: 'Create an API key',
    needs: ['integrate'],
    link: { to: '/$organizationId/$environment/keys', search: { add: 'key' } },
  },
];

/** What this person can begin from anywhere, and the other mode. */
export function useActs(): readonly { label: string; link: LinkProps }[] {
  const { me, environment, params, may } = useScope();
  const other = environment === 'live' ? 'sandbox' : 'live';
  return [
    ...acts
      .filter(({ needs }) => may(...needs))
      .map(({ label, link }) => ({ label, link: { ...link, params } as LinkProps })),
    ...(me.service.environments.includes(other)
      ? [
          {
            label: `Switch to ${other === 'live' ? 'Live' : 'Sandbox'} mode`,
            link: { to: '/$organizationId/$environment', params: { ...params, environment: other } } as LinkProps,
          },
        ]
      : []),
  ];
}
