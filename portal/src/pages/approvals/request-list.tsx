import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { given, withFilters, withPage } from '../../base/search.ts';
import { SelectField } from '../../ui/field.tsx';
import { Filters } from '../../ui/filters.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { approvalsOf } from './request-approvals.tsx';
import { Asker } from './request-asker.tsx';
import { type GiftRequest, RequestBadge, requestStates } from './request-badge.tsx';
import { recipientOf } from './request-gifts.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { GiftRequestPage } from './request-page.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/requests');

const choices = [
  { value: '', label: 'Any state' },
  ...Object.entries(requestStates).map(([value, { label }]) => ({ value, label })),
];

/** Gifts that members and agents ask for: all for those who decide, their own for others. */
export function GiftRequestsPage() {
  const { params, includes, currency } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { state } = search;
  const requests = useRequests(search);
  useLostCursor(requests.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const clear = () => void navigate({ search: {} });
  return (
    <Page
      title="Approvals"
      description={
        includes('approve')
          ? 'What members and agents ask for. Nothing is bought until it is approved.'
          : 'Gifts that you asked for. Nothing is bought until it is approved.'
      }
    >
      <Panel>
        <Filters count={state === undefined ? 0 : 1} onClear={clear}>
          <SelectField
            label="State"
            isLabelHidden
            value={state ?? ''}
            onChange={(chosen) => void navigate({ search: withFilters(search, { state: chosen }) })}
            options={choices}
          />
        </Filters>
        <DataTable
          caption="Approvals"
          counted={['request', 'requests']}
          columns={requestColumns(currency)}
          query={requests}
          rowKey={({ gift_request_id }) => gift_request_id}
          rowLink={({ gift_request_id }) => ({
            to: '/$organizationId/$environment/gifts/requests/$requestId',
            params: { ...params, requestId: gift_request_id },
          })}
          empty={
            state === undefined ? (
              <EmptyState title="No requests yet">They expire after 30 days without a decision.</EmptyState>
            ) : (
              <NoMatch title="No requests have this state" showAll="Show all requests" onClear={clear}>
                Choose another state.
              </NoMatch>
            )
          }
        />
        <ListPager page={requests.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
      </Panel>
    </Page>
  );
}

function useRequests(search: ReturnType<typeof route.useSearch>) {
  const { path } = useScope();
  const { state, after, before } = search;
  return useQuery({
    queryKey: ['gift-requests', path, search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/gift-requests`, {
          params: { path, query: given({ state: state as GiftRequest['state'], after, before }) },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** Whom it is for, while it is not decided. */
const recipientsOf = ({ gifts, batch_id }: GiftRequest) => {
  if (batch_id !== null) return 'A file';
  const [first, ...others] = gifts ?? [];
  if (first === undefined) return '–';
  return others.length === 0 ? recipientOf(first) : `${recipientOf(first)} and ${others.length} more`;
};

const State = ({ request }: { request: GiftRequest }) => (
  <>
    <RequestBadge state={request.state} />
    {request.state === 'open' && <span className="block text-sm text-soft">{approvalsOf(request)}</span>}
  </>
);

/** The columns of a list of requests. */
export const requestColumns = (currency: string): Column<GiftRequest>[] => [
  {
    header: 'Asked',
    cell: (request) => (
      <>
        <Time at={request.created_at} />
        <span className="mt-0.5 block text-sm font-normal text-soft">
          <Asker request={request} />
        </span>
      </>
    ),
  },
  { header: 'State', cell: (request) => <State request={request} />, isWide: true },
  {
    header: 'Recipient',
    cell: (request) => <span className="wrap-anywhere">{recipientsOf(request)}</span>,
    isWide: true,
  },
  {
    header: 'Amount',
    cell: (request) => (
      <>
        {formatMoney(request.amount, currency)}
        <span className="mt-0.5 block md:hidden">
          <State request={request} />
        </span>
      </>
    ),
    align: 'right',
  },
];
