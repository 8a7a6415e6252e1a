import {
  BoxIcon,
  CardStackIcon,
  CheckIcon,
  ClockIcon,
  CodeIcon,
  ExitIcon,
  Half2Icon,
  LightningBoltIcon,
  LockClosedIcon,
  PaperPlaneIcon,
  PersonIcon,
  RowsIcon,
  SliderIcon,
  ViewGridIcon,
} from '@radix-ui/react-icons';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Permission } from '../api/permissions.ts';
import { useScope } from '../api/use-scope.ts';
import { servicePath } from '../base/address.ts';
import { AgentIcon, CalendarIcon, ContactIcon } from './drawn-icons.tsx';
import { needsOf } from './page-needs.ts';

/** Who only reads gifts has no requests. */
const asking: readonly Permission[] = ['approve', 'order', 'request'];

const groups = [
  {
    name: undefined,
    pages: [
      { to: '/$organizationId/$environment', label: 'Overview', key: 'h', icon: ViewGridIcon },
      { to: '/$organizationId/$environment/gifts', label: 'Gifts', key: 'g', icon: PaperPlaneIcon },
      {
        to: '/$organizationId/$environment/gifts/requests',
        label: 'Approvals',
        key: 'p',
        icon: CheckIcon,
        isFor: asking,
      },
      { to: '/$organizationId/$environment/contacts', label: 'Contacts', key: 'c', icon: ContactIcon },
      { to: '/$organizationId/$environment/calendar', label: 'Calendar', key: 'd', icon: CalendarIcon },
      { to: '/$organizationId/$environment/orders', label: 'Orders', key: 'o', icon: BoxIcon },
      { to: '/$organizationId/$environment/balance', label: 'Balance', key: 'b', icon: CardStackIcon },
    ],
  },
  {
    name: 'Developers',
    pages: [
      { to: '/$organizationId/$environment/keys', label: 'API keys', key: 'k', icon: LockClosedIcon },
      { to: '/$organizationId/$environment/agents', label: 'Agents', key: 'n', icon: AgentIcon },
      { to: '/$organizationId/$environment/webhooks', label: 'Webhooks', key: 'w', icon: ExitIcon },
      { to: '/$organizationId/$environment/requests', label: 'API log', key: 'r', icon: RowsIcon },
      { to: '/$organizationId/$environment/testing', label: 'Testing', key: 't', icon: LightningBoltIcon },
    ],
  },
  {
    name: 'Organization',
    pages: [
      { to: '/$organizationId/$environment/members', label: 'Members', key: 'm', icon: PersonIcon },
      { to: '/$organizationId/$environment/audit', label: 'Audit log', key: 'a', icon: ClockIcon },
      { to: '/$organizationId/$environment/brand', label: 'Brand', key: 'f', icon: Half2Icon },
      { to: '/$organizationId/$environment/settings', label: 'Settings', key: 's', icon: SliderIcon },
    ],
  },
] as const;

type MenuPage = (typeof groups)[number]['pages'][number];

/** The menu of this person: the pages that the role includes, and the groups that have one. */
function useMenu(): { name: string | undefined; pages: readonly MenuPage[] }[] {
  const { includes } = useScope();
  const isShown = (page: MenuPage) =>
    [needsOf(page.to), 'isFor' in page ? page.isFor : undefined].every((needs) => !needs || includes(...needs));
  return groups
    .map(({ name, pages }) => ({ name, pages: pages.filter(isShown) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Every page of this person's menu, with its letter after `g`. */
export const usePages = (): readonly MenuPage[] => useMenu().flatMap(({ pages }) => pages);

const itemClass = 'flex items-center gap-3 rounded-lg px-3 py-2 text-soft hover:bg-sunken hover:text-ink';

interface NavigationProps {
  params: { organizationId: string; environment: 'live' | 'sandbox' };
  isSandbox: boolean;
}

export function Navigation({ params, isSandbox }: NavigationProps) {
  // A gift’s page is below “Gifts”, the approvals are beside it.
  const isApprovals = useLocation().pathname.includes('/gifts/requests');
  return (
    <nav aria-label="Portal">
      {useMenu().map(({ name, pages }) => (
        <div key={name ?? 'main'} className="mt-4 first:mt-2">
          {name !== undefined && <h2 className="px-3 pb-1 font-sans text-[0.8125rem] text-soft">{name}</h2>}
          <ul>
            {pages.map(({ to, label, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={params}
                  activeOptions={{
                    exact: label === 'Overview' || (label === 'Gifts' && isApprovals),
                    includeSearch: false,
                  }}
                  className={itemClass}
                  activeProps={{
                    className: `${isSandbox ? 'bg-warn-wash text-warn!' : 'bg-accent-wash text-accent!'} font-semibold`,
                  }}
                >
                  <Icon of={icon} />
                  {label}
                </Link>
              </li>
            ))}
            {name === 'Developers' && (
              <li>
                <a href={`${servicePath}/docs/api`} className={itemClass}>
                  <Icon of={CodeIcon} />
                  API reference
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Icon({ of: Glyph }: { of: ComponentType<{ className: string; 'aria-hidden': true }> }) {
  return <Glyph aria-hidden className="size-4.5 shrink-0" />;
}
