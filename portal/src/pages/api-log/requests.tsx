import { ClockIcon } from '@radix-ui/react-icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components, operations } from '../../api/schema.d.ts';
import { useGrants } from '../../api/use-grants.ts';
import { useScope } from '../../api/use-scope.ts';
import { given, withFilters, withPage } from '../../base/search.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Filters, SearchField, useSearchText } from '../../ui/filters.tsx';
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx';
import { ListPager } from '../../ui/list-pager.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { formatDuration, HttpStatusBadge, KeyName, pathPrefixOf, REQUEST_ID, useKeys } from './request-parts.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { AuditPage } from '../audit/audit.tsx';
export { TestingPage } from '../testing/testing.tsx';
export { RequestPage } from './request.tsx';

type Request = components['schemas']['RequestSummary'];
type Query = NonNullable<operations['listRequests']['parameters']['query']>;

const route = getRouteApi('/signed-in/$organizationId/$environment/requests');

const outcomes = [
  { value: '', label: 'Any status' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'All errors' },
  { value: 'client_error', label: 'Errors 4xx' },
  { value: 'server_error', label: 'Errors 5xx' },
] as const satisfies readonly { value: Query['outcome'] | ''; label: string }[];

const methods = ['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((value) => ({
  value,
  label: value || 'Any method',
}));

/** Undefined for a status that the list does not have. */
const outcomeOf = (text: string | undefined): Query['outcome'] =>
  outcomes.find(({ value }) => value === text)?.value || undefined;

export function RequestsPage() {
  const { params, environment } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, status, method, key } = search;
  const [isLive, setIsLive] = useState(false);
  // Older pages do not change.
  const mayFollow = search.after === undefined && search.before === undefined;
  const requests = useRequests(search, isLive && mayFollow);
  useLostCursor(requests.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const clear = () => void navigate({ search: {} });
  const count = [query, outcomeOf(status), method, key].filter((value) => value !== undefined).length;

  return (
    <Page
      title="API log"
      description="Requests of the last 7 days. Addresses and names are masked. Under heavy load, some requests are not logged."
      actions={
        <Actions
          isFetching={requests.isFetching}
          onRefresh={() => void requests.refetch()}
          isLive={isLive}
          onLive={mayFollow ? () => setIsLive(!isLive) : undefined}
        />
      }
    >
      <Panel>
        <RequestFilters count={count} onClear={clear} />
        <DataTable
          caption="API log"
          counted={['request', 'requests']}
          columns={columns}
          query={requests}
          rowKey={(request) => request.request_id}
          rowLink={(request) => ({
            to: '/$organizationId/$environment/requests/$requestId',
            params: { ...params, requestId: request.request_id },
          })}
          empty={
            count > 0 ? (
              <NoMatch
                title={requests.data?.searched_to ? 'Nothing found so far' : 'No requests match these filters'}
                showAll="Show all requests"
                onClear={clear}
              >
                Search for a complete request ID or the start of a path, such as /v1/orders.
              </NoMatch>
            ) : (
              <EmptyState title="No requests in the last 7 days">
                Requests with a {environment} key appear here within about a second.
              </EmptyState>
            )
          }
        />
        <ListPager page={requests.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
      </Panel>
    </Page>
  );
}

interface ActionsProps {
  isFetching: boolean;
  onRefresh: () => void;
  isLive: boolean;
  /** Undefined on older pages. */
  onLive: (() => void) | undefined;
}

const Actions = ({ isFetching, onRefresh, isLive, onLive }: ActionsProps) => (
  <>
    <Button onClick={onRefresh} isBusy={isFetching && !isLive}>
      <ClockIcon aria-hidden /> Refresh
    </Button>
    <Button
      variant={isLive ? 'primary' : 'secondary'}
      aria-pressed={isLive}
      disabled={onLive === undefined}
      onClick={onLive}
    >
      {isLive ? <PauseIcon /> : <PlayIcon />} Follow live
    </Button>
  </>
);

const FOLLOW_EVERY_MS = 2_000;

function useRequests(search: ReturnType<typeof route.useSearch>, isLive: boolean) {
  const { path } = useScope();
  const { query, status, method, key, after, before } = search;
  return useQuery({
    queryKey: ['requests', path, search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/requests`, {
          params: {
            path,
            query: given({
              outcome: outcomeOf(status),
              path: pathPrefixOf(query ?? ''),
              method,
              key,
              after,
              before,
            }),
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? FOLLOW_EVERY_MS : false,
  });
}

interface RequestFiltersProps {
  count: number;
  onClear: () => void;
}

function RequestFilters({ count, onClear }: RequestFiltersProps) {
  const { params } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, status, method, key } = search;
  const [text, setText] = useSearchText(query, search);
  const filter = (changes: Partial<typeof search>) =>
    void navigate({ search: withFilters(search, { query: text.trim(), ...changes }) });
  const find = (text: string) => {
    if (!REQUEST_ID.test(text)) return filter({ query: text });
    void navigate({
      to: '/$organizationId/$environment/requests/$requestId',
      params: { ...params, requestId: text.toLowerCase() },
    });
  };
  return (
    <Filters
      search={<SearchField label="Request ID or path" text={text} onText={setText} onSearch={find} />}
      count={count}
      onClear={onClear}
    >
      <SelectField
        label="Status"
        isLabelHidden
        value={outcomeOf(status) ?? ''}
        onChange={(value) => filter({ status: value })}
        options={outcomes}
      />
      <SelectField
        label="Method"
        isLabelHidden
        value={method ?? ''}
        onChange={(value) => filter({ method: value })}
        options={methods}
      />
      <KeyFilter value={key ?? ''} onChange={(value) => filter({ key: value })} />
    </Filters>
  );
}

function KeyFilter({ value, onChange }: { value: string; onChange: (keyId: string) => void }) {
  const keys = useKeys().data?.data ?? [];
  const grants = useGrants().data?.data ?? [];
  const labelOf = ({ name, hint, revoked_at }: Pick<(typeof grants)[number], 'name' | 'hint' | 'revoked_at'>) =>
    `${name} ${hint ?? ''}${revoked_at === null ? '' : ' (revoked)'}`;
  const options = [
    ...keys.map((key) => ({ value: key.key_id, label: labelOf(key) })),
    ...grants.flatMap((grant) =>
      grant.key_ids.slice(0, 1).map((value) => ({ value, label: `Agent ${labelOf(grant)}` })),
    ),
  ];
  return (
    <div className="md:max-w-56">
      <SelectField
        label="API key"
        isLabelHidden
        value={value}
        onChange={onChange}
        options={[{ value: '', label: 'Any key' }, ...options]}
      />
    </div>
  );
}

const columns: Column<Request>[] = [
  {
    header: 'Request',
    cell: (request) => (
      <>
        <span className="line-clamp-2 min-w-36 font-mono text-[0.8125rem] break-all">
          {request.method} {request.path} {request.tool}
        </span>
        <span className="mt-0.5 block text-sm font-normal text-soft">
          <Time at={request.created_at} hasSeconds />
        </span>
        <span className="block font-mono text-[0.8125rem] font-normal wrap-anywhere text-soft md:hidden">
          {request.error_code}
        </span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: (request) => (
      <>
        <HttpStatusBadge status={request.status} />
        <span className="mt-1 block font-mono text-[0.8125rem] whitespace-nowrap text-soft max-md:hidden">
          {request.error_code}
        </span>
      </>
    ),
  },
  { header: 'API key', cell: (request) => <KeyName keyId={request.key_id} isShort />, isWide: true },
  {
    header: 'Duration',
    cell: (request) => <span className="whitespace-nowrap">{formatDuration(request.duration_ms)}</span>,
    align: 'right',
    isWide: true,
  },
];
