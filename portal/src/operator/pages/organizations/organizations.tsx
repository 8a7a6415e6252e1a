import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { unwrap } from '../../../api/client.ts';
import { given, withPage } from '../../../base/search.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Code } from '../../../ui/code.tsx';
import { SearchField, useSearchText } from '../../../ui/filters.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { ActButton } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { MorePager } from '../../layout/more-pager.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { CreateOrganizationDialog } from './organization-create.tsx';

type Line = components['schemas']['OrganizationLine'];

const route = getRouteApi('/signed-in/organizations');

/** Every organization, with what needs attention. */
export function OrganizationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, after } = search;
  const { currency } = useSession().service;
  const [text, setText] = useSearchText(query, search);
  const organizations = useQuery({
    queryKey: ['organizations', search],
    queryFn: () =>
      unwrap(operatorApi.GET('/operator/api/organizations', { params: { query: given({ query, after }) } })),
    placeholderData: keepPreviousData,
  });
  const find = (sought: string) => void navigate({ search: sought === '' ? {} : { query: sought } });
  const last = organizations.data?.has_more ? organizations.data.data.at(-1)?.organization_id : undefined;
  return (
    <OperatorPage
      title="Organizations"
      description="Newest first. Figures of gifts, orders and messages are live."
      actions={
        <ActButton label="Create an organization" variant="primary" size="normal">
          {(onClose) => <CreateOrganizationDialog onClose={onClose} />}
        </ActButton>
      }
    >
      <Panel>
        <div className="mb-4 max-w-xl">
          <SearchField label="Part of a name, or an ID" text={text} onText={setText} onSearch={find} />
        </div>
        <DataTable
          caption="Organizations, newest first"
          counted={['organization', 'organizations']}
          columns={columnsOf(currency)}
          query={organizations}
          rowKey={({ organization_id }) => organization_id}
          rowLink={({ organization_id }) => ({
            to: '/organizations/$organizationId',
            params: { organizationId: organization_id },
          })}
          empty={
            query === undefined ? (
              <EmptyState title="No organizations yet">Create the first one, with its first admin.</EmptyState>
            ) : (
              <NoMatch title="No organization matches" showAll="Show all organizations" onClear={() => find('')}>
                Search for a part of its name, or for its whole ID.
              </NoMatch>
            )
          }
        />
        <MorePager
          isFirst={after === undefined}
          onFirst={() => void navigate({ search: withPage(search, {}) })}
          onOlder={last === undefined ? undefined : () => void navigate({ search: withPage(search, { after: last }) })}
        />
        <CommandLine command="bestow org list" />
      </Panel>
    </OperatorPage>
  );
}

const columnsOf = (currency: string): Column<Line>[] => [
  {
    header: 'Organization',
    cell: (line) => (
      <>
        <bdi className="wrap-anywhere">{line.name}</bdi>
        <span className="block font-normal text-soft max-md:hidden">
          <Code>{line.organization_id}</Code>
        </span>
        <span className="mt-1 block md:hidden">
          <Attention line={line} currency={currency} />
        </span>
      </>
    ),
  },
  { header: 'Attention', isWide: true, cell: (line) => <Attention line={line} currency={currency} /> },
  { header: 'Live', align: 'right', cell: ({ live_balance }) => formatMoney(live_balance, currency) },
  {
    header: 'Sandbox',
    align: 'right',
    isWide: true,
    cell: ({ sandbox_balance }) => formatMoney(sandbox_balance, currency),
  },
  {
    header: 'Issuers',
    isWide: true,
    cell: ({ issuers }) => (issuers.length === 0 ? 'Simulated' : [...new Set(issuers)].join(', ')),
  },
  {
    header: 'Last order',
    align: 'right',
    isWide: true,
    cell: ({ last_order_at }) => (last_order_at === null ? 'Never' : <Time at={last_order_at} />),
  },
];

/** What an operator should look at; empty if nothing. */
function Attention({ line, currency }: { line: Line; currency: string }) {
  const { suspended_at, gifts_held_at, owed, failed_gifts, waiting_approvals } = line;
  return (
    <span className="flex flex-wrap gap-1.5">
      {suspended_at !== null && <Badge tone="bad">Suspended</Badge>}
      {gifts_held_at !== null && <Badge tone="warn">Gifts on hold</Badge>}
      {owed > 0 && <Badge tone="bad">Owes {formatMoney(owed, currency)}</Badge>}
      {failed_gifts > 0 && <Badge tone="bad">{failed_gifts >= MOST_COUNTED ? '100+' : failed_gifts} failed</Badge>}
      {waiting_approvals > 0 && <Badge tone="calm">{waiting_approvals} to approve</Badge>}
    </span>
  );
}

/** The server counts failed gifts up to here. */
const MOST_COUNTED = 100;
