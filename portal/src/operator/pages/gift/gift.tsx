import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap } from '../../../api/client.ts';
import { GiftTimeline } from '../../../pages/gifts/gift-timeline.tsx';
import { describeCategory, nameCategory } from '../../../ui/category.ts';
import { Code, CopyableCode } from '../../../ui/code.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { GiftStateBadge, giftMethods } from '../../../ui/gift-status.tsx';
import { MessageText } from '../../../ui/message-text.tsx';
import { Facts, Panel } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { GiftActs } from './gift-acts.tsx';
import { giftKey, type OperatedGift } from './gift-key.ts';

const route = getRouteApi('/signed-in/gifts/$giftId');

/** A gift of any organization, with its person. Each look is in the log, so the page reads it once. */
export function GiftPage() {
  const { giftId } = route.useParams();
  const gift = useQuery({
    queryKey: giftKey(giftId),
    queryFn: () => unwrap(operatorApi.GET('/operator/api/gifts/{gift_id}', { params: { path: { gift_id: giftId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (gift.data !== undefined) return <ShownGift of={gift.data} />;
  return (
    <OperatorPage title="Gift">
      <Panel>
        {gift.error === null ? (
          <Skeleton lines={12} />
        ) : (
          <ErrorState error={gift.error} onRetry={() => void gift.refetch()} />
        )}
      </Panel>
    </OperatorPage>
  );
}

function ShownGift({ of }: { of: OperatedGift }) {
  const { currency } = useSession().service;
  const { gift, environment, organization_id, organization_name } = of;
  return (
    <OperatorPage
      title={`${formatMoney(gift.amount, currency)} for ${nameCategory(gift)}`}
      tabTitle={`Gift ${gift.gift_id}`}
      crumb={
        <Link
          to="/organizations/$organizationId"
          params={{ organizationId: organization_id }}
          search={environment === 'live' ? {} : { environment }}
        >
          {organization_name}
        </Link>
      }
      description={
        <>
          <span className="mb-1 flex flex-wrap items-center gap-2">
            <GiftStateBadge gift={gift} />
            {environment === 'live' ? 'Live' : 'Sandbox'}, of {organization_name}
          </span>
          <CopyableCode label="Copy gift ID">{gift.gift_id}</CopyableCode>
        </>
      }
      actions={<GiftActs of={of} />}
    >
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title="Timeline">
          <GiftTimeline
            shown={of}
            currency={currency}
            environment={environment}
            order={<Code>{gift.order_id}</Code>}
            onMessage={undefined}
          />
          <CommandLine command={`bestow gift show ${gift.gift_id}`} />
        </Panel>
        <Panel title="Details" description="You looked at a recipient’s data: the log has it.">
          <GiftFacts of={of} currency={currency} />
        </Panel>
      </div>
    </OperatorPage>
  );
}

function GiftFacts({ of: { gift, history }, currency }: { of: OperatedGift; currency: string }) {
  const { address, recipient_name, message, scheduled_for, failure_reason, external_id } = gift;
  return (
    <Facts
      facts={[
        ['Value', formatMoney(gift.amount, currency)],
        ...(gift.claimed_at === null ? [] : [['Spent', formatMoney(history.spent.amount, currency)] as const]),
        ['Category', describeCategory(gift)],
        ['Method', giftMethods[gift.method]],
        ...(address === null ? [] : [['Address', address] as const]),
        ...(failure_reason === null ? [] : [['Failure', failure_reason] as const]),
        ...(recipient_name === null ? [] : [['Recipient', recipient_name] as const]),
        ['Sender', gift.sender_name],
        ...(message === null ? [] : [['Message', <MessageText key="message" text={message} />] as const]),
        ['Ordered', <Time key="ordered" at={gift.created_at} />],
        ...(scheduled_for === null ? [] : [['Scheduled for', <Time key="scheduled" at={scheduled_for} />] as const]),
        ...(history.expires_at === null ? [] : [['Expires', <Time key="expires" at={history.expires_at} />] as const]),
        ['Link expires', <Time key="link" at={gift.link_expires_at} />],
        ...(external_id === undefined ? [] : [['External ID', external_id] as const]),
      ]}
    />
  );
}
