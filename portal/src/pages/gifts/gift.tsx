import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { describeCategory, nameCategory } from '../../ui/category.ts';
import { CopyableCode } from '../../ui/code.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { GiftStateBadge, giftMethods } from '../../ui/gift-status.tsx';
import { languageName } from '../../ui/languages.ts';
import { MessageText } from '../../ui/message-text.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { RefreshFailed, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CancelGift } from './cancel.tsx';
import { GiftHold } from './gift-hold.tsx';
import { GiftLink, ReplaceLink } from './gift-link.tsx';
import { GiftMessage } from './gift-message.tsx';
import { giftQuery } from './gift-query.ts';
import { RedirectDialog, whyNot } from './gift-redirect.tsx';
import { ReopenCard, ReopenedNotice } from './gift-reopen.tsx';
import { ResendGift } from './gift-resend.tsx';
import { GiftSchedule } from './gift-schedule.tsx';
import { GiftSimulations } from './gift-simulations.tsx';
import { GiftTimeline } from './gift-timeline.tsx';
import { referenceFacts } from './references.tsx';

type Shown = components['schemas']['GiftPage'];

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/$giftId');
const PENDING_CHECK_MS = 3_000;

/** Whether a live message is about to be sent. */
const isUnderWay = ({ timeline, simulations }: Shown) =>
  simulations === null && timeline.some((event) => event.kind === 'delivery' && event.state === 'sending');

export function GiftPage() {
  const { path, params } = useScope();
  const { giftId } = route.useParams();
  const gift = useQuery({
    ...giftQuery(path, giftId),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? PENDING_CHECK_MS : false),
  });
  const crumb = (
    <Link to="/$organizationId/$environment/gifts" params={params}>
      Gifts
    </Link>
  );
  if (gift.data !== undefined) return <ShownGift shown={gift.data} error={gift.error} crumb={crumb} />;
  return (
    <Page title="Gift" tabTitle={`Gift ${giftId}`} crumb={crumb}>
      <Panel>
        {gift.error === null ? (
          <Skeleton lines={12} />
        ) : (
          <Elsewhere
            error={gift.error}
            onRetry={() => void gift.refetch()}
            title="Gift not found"
            inOtherMode={(environment) => ({
              to: '/$organizationId/$environment/gifts/$giftId',
              params: { ...params, environment, giftId },
            })}
          >
            The ID may belong to the other mode or be incomplete, or the gift was deleted with a reset of the sandbox.
          </Elsewhere>
        )}
      </Panel>
    </Page>
  );
}

interface ShownGiftProps {
  shown: Shown;
  /** Why the last refresh failed. */
  error: Error | null;
  crumb: ReactNode;
}

function ShownGift({ shown, error, crumb }: ShownGiftProps) {
  const { currency, environment, includes, may } = useScope();
  const [isRedirecting, setIsRedirecting] = useState(false);
  const [chosenMessage, setChosenMessage] = useState<number>();
  const messageHeading = useRef<HTMLHeadingElement>(null);
  const { gift, history, timeline, redirect, simulations } = shown;
  const messages = timeline.flatMap((event) => (event.kind === 'delivery' ? [event.number] : []));
  const shownMessage = chosenMessage ?? messages.at(-1);
  const showMessage = (number: number) => {
    flushSync(() => setChosenMessage(number));
    messageHeading.current?.scrollIntoView();
    messageHeading.current?.focus({ preventScroll: true });
  };
  return (
    <Page
      title={`${formatMoney(gift.amount, currency)} for ${nameCategory(gift)}`}
      tabTitle={`Gift ${gift.gift_id}`}
      crumb={crumb}
      description={<GiftSummary gift={gift} />}
      actions={<GiftActions shown={shown} onRedirect={() => setIsRedirecting(true)} />}
    >
      {error !== null && <RefreshFailed error={error} />}
      {gift.held_by !== null && <HoldNotice heldBy={gift.held_by} />}
      <ReopenedNotice gift={gift} />
      {isScheduled(gift) && <GiftSchedule gift={gift} scheduledFor={gift.scheduled_for} />}
      {may('test') && simulations !== null && !isScheduled(gift) && (
        <GiftSimulations giftId={gift.gift_id} isLink={gift.method === 'link'} possible={simulations} />
      )}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]">
        <Panel title="Timeline">
          <GiftTimeline
            shown={shown}
            currency={currency}
            environment={environment}
            order={<OrderLink orderId={gift.order_id} />}
            onMessage={messages.length > 1 && includes('people') ? showMessage : undefined}
          />
        </Panel>
        <div className="grid min-w-0 gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {gift.method === 'link' && gift.canceled_at === null && includes('links') && (
            <GiftLink key={gift.link_expires_at} gift={gift} />
          )}
          <Panel title="Details">
            <GiftFacts gift={gift} history={history} />
            {(includes('manage') || redirect.reason === null) && (
              <p className="mt-4 border-t border-line pt-4 text-sm text-soft">
                {aboutRedirect(redirect, includes('manage'), isScheduled(gift))}
              </p>
            )}
          </Panel>
        </div>
        {shownMessage !== undefined && includes('people') && (
          <GiftMessage
            giftId={gift.gift_id}
            number={shownMessage}
            isOnlyOne={messages.length === 1}
            headingRef={messageHeading}
          />
        )}
      </div>
      {isRedirecting && gift.method !== 'link' && (
        <RedirectDialog
          giftId={gift.gift_id}
          method={gift.method}
          isScheduled={isScheduled(gift)}
          onClose={() => setIsRedirecting(false)}
        />
      )}
    </Page>
  );
}

function OrderLink({ orderId }: { orderId: string }) {
  const { params } = useScope();
  return (
    <Link
      to="/$organizationId/$environment/orders/$orderId"
      params={{ ...params, orderId }}
      className="underline hover:text-accent"
    >
      View order
    </Link>
  );
}

const isScheduled = (gift: Shown['gift']): gift is Shown['gift'] & { scheduled_for: string } =>
  gift.status === 'scheduled' && gift.scheduled_for !== null;

function GiftActions({ shown, onRedirect }: { shown: Shown; onRedirect: () => void }) {
  const { may } = useScope();
  const { gift, redirect, resend_refusal: resend } = shown;
  const isReplaceable =
    gift.claimed_at === null &&
    gift.canceled_at === null &&
    gift.held_by === null &&
    redirect.left > 0 &&
    !isScheduled(gift);
  return (
    <>
      {may('manage') && redirect.allowed && (
        <Button variant={isScheduled(gift) ? 'secondary' : 'primary'} onClick={onRedirect}>
          {isScheduled(gift) ? 'Change address' : 'Send to another address'}
        </Button>
      )}
      {may('manage') && resend === null && <ResendGift gift={gift} />}
      {may('links') && isReplaceable && <ReplaceLink gift={gift} />}
      {may('manage') && gift.claimed_at !== null && gift.held_by !== 'gift' && <ReopenCard gift={gift} />}
      {gift.canceled_at === null && <GiftHold gift={gift} />}
      <CancelGift gift={gift} />
    </>
  );
}

function HoldNotice({ heldBy }: { heldBy: 'gift' | 'organization' }) {
  const { params } = useScope();
  return (
    <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {heldBy === 'gift' ? (
        'This gift is on hold. No one can claim it, see its card or get a new link.'
      ) : (
        <>
          All unclaimed gifts are on hold. Admins release them in the{' '}
          <Link to="/$organizationId/$environment/settings" params={params} className="underline">
            settings
          </Link>
          .
        </>
      )}
    </p>
  );
}

function GiftSummary({ gift }: { gift: Shown['gift'] }) {
  return (
    <>
      <span className="line-clamp-3 wrap-anywhere">
        <GiftStateBadge gift={gift} />
        <span className="ml-2">
          {gift.recipient_name === null ? 'From ' : `For ${gift.recipient_name}, from `}
          {gift.sender_name}
        </span>
      </span>
      <CopyableCode label="Copy gift ID">{gift.gift_id}</CopyableCode>
    </>
  );
}

function aboutRedirect({ reason, left }: Shown['redirect'], canRedirect: boolean, isWaiting: boolean): string {
  if (reason !== null) return whyNot[reason];
  const times = left === 1 ? 'once more' : `${left} more times`;
  if (isWaiting) return `${canRedirect ? 'You' : 'An admin'} can change the address ${times} before the gift is sent.`;
  return canRedirect
    ? `Delivery failed. You can send it to another address ${times}.`
    : `Delivery failed. An admin can send it to another address ${times}.`;
}

function GiftFacts({ gift, history }: Pick<Shown, 'gift' | 'history'>) {
  const { currency, params } = useScope();
  return (
    <Facts
      facts={[
        ['Value', formatMoney(gift.amount, currency)],
        ...(gift.claimed_at === null ? [] : [['Spent', formatMoney(history.spent.amount, currency)] as const]),
        ['Category', describeCategory(gift)],
        ['Method', giftMethods[gift.method]],
        ...(gift.address === null ? [] : [['Address', gift.address] as const]),
        ...(gift.recipient_name === null ? [] : [['Recipient', gift.recipient_name] as const]),
        ['Sender', gift.sender_name],
        ...(gift.message === null ? [] : [['Message', <MessageText key="message" text={gift.message} />] as const]),
        ...(gift.language === null ? [] : [['Language', languageName(gift.language)] as const]),
        ['Ordered', <Time key="ordered" at={gift.created_at} />],
        ...(gift.scheduled_for === null
          ? []
          : [['Scheduled for', <Time key="scheduled" at={gift.scheduled_for} />] as const]),
        ...(history.expires_at === null || gift.claimed_at !== null || gift.canceled_at !== null
          ? []
          : [['Expires', <Time key="expires" at={history.expires_at} />] as const]),
        [
          'Order',
          <Link
            key="order"
            to="/$organizationId/$environment/orders/$orderId"
            params={{ ...params, orderId: gift.order_id }}
            className="font-mono text-[0.8125rem] underline hover:text-accent"
          >
            {gift.order_id}
          </Link>,
        ],
        ...referenceFacts(gift),
      ]}
    />
  );
}
