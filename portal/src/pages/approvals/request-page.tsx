import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { PersonName } from '../account/person-name.tsx';
import { occasions } from '../calendar/calendar.ts';
import { Approvals, ApprovedByYou, approvalsOf } from './request-approvals.tsx';
import { Asker } from './request-asker.tsx';
import { type GiftRequest, RequestBadge } from './request-badge.tsx';
import { Decisions } from './request-decisions.tsx';
import { RequestedFile } from './request-file.tsx';
import { RequestedGifts } from './request-gifts.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/requests/$requestId');

/** What a member or an agent asks for, as recipients will see it, and the decision. */
export function GiftRequestPage() {
  const { path, params, currency } = useScope();
  const { requestId } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['gift-requests', path, requestId],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/gift-requests/{gift_request_id}`, {
          params: { path: { ...path, gift_request_id: requestId } },
        }),
      ),
  });
  return (
    <Page
      title={data === undefined ? 'Gift request' : titleOf(data, currency)}
      tabTitle="Gift request"
      crumb={
        <Link to="/$organizationId/$environment/gifts/requests" params={params}>
          Approvals
        </Link>
      }
      actions={data?.state === 'open' && <Decisions request={data} />}
    >
      {data === undefined ? (
        <Panel>
          {error === null ? (
            <Skeleton lines={7} />
          ) : (
            <Elsewhere
              error={error}
              onRetry={() => void refetch()}
              title="Request not found"
              inOtherMode={(environment) => ({
                to: '/$organizationId/$environment/gifts/requests/$requestId',
                params: { ...params, environment, requestId },
              })}
            >
              It may belong to the other mode or to another member, or it was deleted with a reset of the sandbox.
            </Elsewhere>
          )}
        </Panel>
      ) : (
        <Content request={data} />
      )}
    </Page>
  );
}

function Content({ request }: { request: GiftRequest }) {
  const facts = (
    <Panel title="Request" actions={<RequestBadge state={request.state} />}>
      <ApprovedByYou request={request} />
      {request.doubt !== null && (
        <p role="status" className="mb-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          {doubts[request.doubt]}
        </p>
      )}
      <RequestFacts request={request} />
    </Panel>
  );
  return request.gifts === null ? facts : <RequestedGifts gifts={request.gifts}>{facts}</RequestedGifts>;
}

/** Why the person of a yearly gift is not the one that was meant. */
const doubts: Record<NonNullable<GiftRequest['doubt']>, string> = {
  removed: 'This person is no longer a contact.',
  changed: 'The contact has another address now. This gift would go to the old one.',
  not_meant: 'The rule no longer sends this gift to the contact.',
  paused: 'The rule of this gift is paused.',
};

const titleOf = (request: GiftRequest, currency: string) =>
  `Request for ${thingOf(request)} of ${formatMoney(request.amount, currency)}`;

function thingOf({ agent, batch_id, gifts }: GiftRequest): string {
  if (agent !== null) return 'an order';
  if (batch_id !== null) return 'a file';
  return gifts !== null && gifts.length > 1 ? `${gifts.length} gifts` : 'a gift';
}

function RequestFacts({ request }: { request: GiftRequest }) {
  const { params, currency } = useScope();
  const { choices } = useCategories();
  const { gifts, amount, category, created_at, expires_at, decided_at, decided_by, reason, state } = request;
  const { order_id, batch_id, rule } = request;
  return (
    <>
      <Facts
        facts={[
          ['Asked by', <Asker key="by" request={request} />],
          ['Asked', <Time key="at" at={created_at} />],
          ...(rule === null ? [] : [['Rule', `${rule.name} (${occasions[rule.occasion]})`] as const]),
          ...(batch_id === null ? [] : [['File', <RequestedFile key="file" batchId={batch_id} />] as const]),
          ...(gifts !== null && gifts.length > 1
            ? [['Total', `${formatMoney(amount, currency)} for ${gifts.length} gifts`] as const]
            : [['Amount', formatMoney(amount, currency)] as const]),
          ...(gifts === null && category !== null
            ? [['Category', choices.find(({ category_id }) => category_id === category)?.name ?? category] as const]
            : []),
          ...(approvalsOf(request) === undefined || (decided_at !== null && state !== 'approved')
            ? []
            : [['Approvals', <Approvals key="approvals" request={request} />] as const]),
          ...(state === 'open' ? [['Expires', <Time key="expires" at={expires_at} />] as const] : []),
          ...(decided_at === null ? [] : [[decidedNames[state], <Time key="decided" at={decided_at} />] as const]),
          ...(decided_by === null || state === 'withdrawn' || (state === 'approved' && request.approvals.needed > 1)
            ? []
            : [['By', <PersonName key="decider" email={decided_by} />] as const]),
          ...(reason === null ? [] : [['Reason', reason] as const]),
        ]}
      />
      {order_id !== null && (
        <div className="mt-6">
          <ButtonLink to="/$organizationId/$environment/orders/$orderId" params={{ ...params, orderId: order_id }}>
            View order
          </ButtonLink>
        </div>
      )}
      {gifts === null && batch_id === null && state !== 'approved' && (
        <p className="mt-4 text-sm text-soft">Who it was for and what it said were deleted with the decision.</p>
      )}
    </>
  );
}

const decidedNames: Record<GiftRequest['state'], string> = {
  open: 'Decided',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};
