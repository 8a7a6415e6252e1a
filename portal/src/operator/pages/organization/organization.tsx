import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { CopyableCode } from '../../../ui/code.tsx';
import { Panel } from '../../../ui/page.tsx';
import { ErrorState, RefreshFailed, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { EntriesPanel } from './entries-panel.tsx';
import { GiftsPanel } from './gifts-panel.tsx';
import { IssuersPanel } from './issuers-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { LookPanel } from './look-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { MoneyPanel } from './money-panel.tsx';
import { OrganizationActs } from './organization-acts.tsx';
import { environmentNames, type Organization, organizationQuery } from './organization-query.ts';
import { useOrganizationSearch } from './organization-search.ts';

const route = getRouteApi('/signed-in/organizations/$organizationId');

/** Everything about one organization, and what an operator can do to it. */
export function OrganizationPage() {
  const { organizationId } = route.useParams();
  const organization = useQuery(organizationQuery(organizationId));
  const crumb = <Link to="/organizations">Organizations</Link>;
  const { data, error } = organization;
  if (data !== undefined)
    return (
      <OperatorPage
        title={data.name}
        crumb={crumb}
        description={<Summary organization={data} />}
        actions={<OrganizationActs organization={data} />}
      >
        {error !== null && <RefreshFailed error={error} />}
        <Panels organization={data} />
      </OperatorPage>
    );
  return (
    <OperatorPage title="Organization" crumb={crumb}>
      <Panel>
        {error === null ? (
          <Skeleton lines={12} />
        ) : (
          <ErrorState error={error} onRetry={() => void organization.refetch()} />
        )}
      </Panel>
    </OperatorPage>
  );
}

const Summary = ({ organization }: { organization: Organization }) => (
  <>
    <span className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      {organization.suspended_at === null ? (
        <Badge tone="good">Active</Badge>
      ) : (
        <>
          <Badge tone="bad">Suspended</Badge> since <Time at={organization.suspended_at} />
        </>
      )}
      {organization.gifts_held_at !== null && (
        <>
          <Badge tone="warn">Gifts on hold</Badge> since <Time at={organization.gifts_held_at} />
        </>
      )}
      <span>
        Created <Time at={organization.created_at} />
      </span>
    </span>
    <CopyableCode label="Copy organization ID">{organization.organization_id}</CopyableCode>
  </>
);

function Panels({ organization }: { organization: Organization }) {
  const { environment, setEnvironment } = useOrganizationSearch();
  return (
    <>
      <JumpLinks />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        {organization.environments.map((one) => (
          <MoneyPanel key={one.environment} organization={organization} of={one} />
        ))}
      </div>
      <Place id="members">
        <MembersPanel organization={organization} />
      </Place>
      <Place id="issuers">
        <IssuersPanel organization={organization} />
      </Place>
      <div className="-mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl leading-8">Gifts, money and changes</h2>
        <Choice label="Mode" options={environmentNames} value={environment} onChange={setEnvironment} />
      </div>
      {/* The key forgets the text of a search with the mode. */}
      <Place id="gifts">
        <GiftsPanel key={`gifts-${environment}`} />
      </Place>
      <Place id="entries">
        <EntriesPanel key={`entries-${environment}`} />
      </Place>
      <Place id="changes">
        <AuditPanel key={`audit-${environment}`} />
      </Place>
      <Place id="keys">
        <KeysPanel organization={organization} />
      </Place>
      <Place id="brand">
        <LookPanel organization={organization} />
      </Place>
    </>
  );
}

const places = {
  members: 'Members',
  issuers: 'Issuers',
  gifts: 'Gifts',
  entries: 'Balance entries',
  changes: 'Audit log',
  keys: 'API keys',
  brand: 'Gifts and brand',
} as const;

/** A panel that a link at the top leads to. The band would cover its title. */
const Place = ({ id, children }: { id: keyof typeof places; children: ReactNode }) => (
  <div id={id} className="min-w-0 scroll-mt-28">
    {children}
  </div>
);

const JumpLinks = () => (
  <nav aria-label="On this page" className="-mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {Object.entries(places).map(([id, label]) => (
      <a key={id} href={`#${id}`} className="py-1 text-accent underline underline-offset-2">
        {label}
      </a>
    ))}
  </nav>
);
