import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { dateOf } from 'bestow-readers/time.ts';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../layout/use-scope.ts';
import { PersonName } from '../pages/person-name.tsx';
import type { Draft } from '../pages/send-draft.ts';
import { SendPreview } from '../pages/send-preview.tsx';
import { useCategories } from '../pages/use-categories.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Elsewhere } from '../ui/elsewhere.tsx';
import { formatMoney, formatPlannedTime } from '../ui/formats.ts';
import { languageChoices } from '../ui/languages.ts';
import { MessageText } from '../ui/message-text.tsx';
import { moneyText } from '../ui/money-field.tsx';
import { Facts, Page, Panel } from '../ui/page.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { localText } from '../ui/time-field.tsx';
import { type GiftRequest, RequestBadge } from './request-badge.tsx';
import { Decisions } from './request-decisions.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/requests/$requestId');

/** A gift that a member asks for, its preview and the decision. */
export function GiftRequestPage() {
  const { path, params, currency, mayWrite } = useScope();
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
      title={data === undefined ? 'Gift request' : `Request for a gift of ${formatMoney(data.amount, currency)}`}
      tabTitle="Gift request"
      crumb={
        <Link to="/$organizationId/$environment/gifts/requests" params={params}>
          Gift requests
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
        <div className={data.gift === null || !mayWrite ? '' : 'grid items-start gap-6 lg:grid-cols-2'}>
          <Panel title="Request" actions={<RequestBadge state={data.state} />}>
            <RequestFacts request={data} />
          </Panel>
          {data.gift !== null && mayWrite && <SendPreview draft={draftOf(data, data.gift)} />}
        </div>
      )}
    </Page>
  );
}

function RequestFacts({ request }: { request: GiftRequest }) {
  const { membership, params, currency } = useScope();
  const { choices } = useCategories();
  const { gift, amount, category, requested_by, created_at, decided_at, decided_by, reason, state, order_id } = request;
  const language = languageChoices('').find(({ value }) => value === gift?.language)?.label;
  return (
    <>
      <Facts
        facts={[
          ['Asked by', <PersonName key="by" email={requested_by} />],
          ['Asked', <Time key="at" at={created_at} />],
          ['Amount', formatMoney(amount, currency)],
          ['Category', choices.find(({ category_id }) => category_id === category)?.name ?? category],
          ...(gift === null
            ? []
            : ([
                ['To', gift.address ?? 'A link that an admin shares'],
                ...(gift.recipient_name === null ? [] : [['Recipient', gift.recipient_name] as const]),
                ['Sender', gift.sender_name ?? membership.organization_name],
                ...(gift.message === null
                  ? []
                  : [['Message', <MessageText key="message" text={gift.message} />] as const]),
                ...(language === undefined ? [] : [['Language', language] as const]),
                ...(gift.send_at === null ? [] : [['Sent', formatPlannedTime(gift.send_at)] as const]),
              ] as const)),
          ...(decided_at === null ? [] : [[decidedNames[state], <Time key="decided" at={decided_at} />] as const]),
          ...(decided_by === null || state === 'withdrawn'
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
      {gift === null && state !== 'approved' && (
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

const draftOf = (
  { amount, category }: GiftRequest,
  { method, address, recipient_name, sender_name, message, language, send_at }: NonNullable<GiftRequest['gift']>,
): Draft => ({
  ...{ method, amount: moneyText(amount), category },
  email: method === 'email' ? (address ?? '') : '',
  phone: method === 'phone' ? (address ?? '') : '',
  recipientName: recipient_name ?? '',
  senderName: sender_name ?? '',
  message: message ?? '',
  language: (language ?? '') as Draft['language'],
  when: send_at === null ? 'now' : 'later',
  sendAt: send_at === null ? '' : localText(dateOf(send_at)),
});
