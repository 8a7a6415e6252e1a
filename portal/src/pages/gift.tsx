import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Button } from '../ui/button.tsx';
import { CopyableCode } from '../ui/code.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Elsewhere } from '../ui/elsewhere.tsx';
import { formatMoney } from '../ui/formats.ts';
import { GiftStatusBadge, giftMethods } from '../ui/gift-status.tsx';
import { Facts, Page, Panel } from '../ui/page.tsx';
import { ErrorState, RefreshFailed, Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { GiftMessage } from './gift-message.tsx';
import { giftQueryKey } from './gift-query.ts';
import { RedirectDialog, whyNot } from './gift-redirect.tsx';
import { GiftSimulations } from './gift-simulations.tsx';
import { GiftTimeline } from './gift-timeline.tsx';

type History = components['schemas']['GiftHistory'];

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/$giftId');
const PENDING_CHECK_MS = 3_000;

/** Whether a live message is about to be sent. */
const isUnderWay = ({ timeline, simulations }: History) =>
  simulations === null && timeline.some((event) => event.kind === 'delivery' && event.state === 'pending');

export function GiftPage() {
  const { path, params } = useScope();
  const { giftId } = route.useParams();
  const gift = useQuery({
    queryKey: giftQueryKey(path, giftId),
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gifts/{gift_id}`, { params: { path: { ...path, gift_id: giftId } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? PENDING_CHECK_MS : false),
  });
  const crumb = (
    <Link to="/$organizationId/$environment/gifts" params={params}>
      Gifts
    </Link>
  );
  if (gift.data !== undefined) return <ShownGift history={gift.data} error={gift.error} crumb={crumb} />;
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
  history: History;
  /** Why the last refresh failed. */
  error: Error | null;
  crumb: ReactNode;
}

function ShownGift({ history, error, crumb }: ShownGiftProps) {
  const { currency, isAdmin, mayChange } = useScope();
  const [isRedirecting, setIsRedirecting] = useState(false);
  const [chosenMessage, setChosenMessage] = useState<number>();
  const messageHeading = useRef<HTMLHeadingElement>(null);
  const { gift, timeline, redirect, simulations } = history;
  const messages = timeline.flatMap((event) => (event.kind === 'delivery' ? [event.number] : []));
  const shownMessage = chosenMessage ?? messages.at(-1);
  const showMessage = (number: number) => {
    flushSync(() => setChosenMessage(number));
    messageHeading.current?.scrollIntoView();
    messageHeading.current?.focus({ preventScroll: true });
  };
  const title = `${formatMoney(gift.amount, currency)} for ${gift.category.name}`;
  return (
    <Page
      title={title}
      tabTitle={`Gift ${gift.gift_id}`}
      crumb={crumb}
      description={<GiftSummary gift={gift} />}
      actions={
        mayChange &&
        redirect.allowed && (
          <Button variant="primary" onClick={() => setIsRedirecting(true)}>
            Send to another address
          </Button>
        )
      }
    >
      {error !== null && <RefreshFailed error={error} />}
      {mayChange && simulations !== null && <GiftSimulations giftId={gift.gift_id} possible={simulations} />}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]">
        <Panel title="Timeline">
          <GiftTimeline history={history} onMessage={messages.length > 1 ? showMessage : undefined} />
        </Panel>
        <div className="grid min-w-0 gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {gift.method === 'link' && <GiftLinkPanel giftId={gift.gift_id} />}
          <Panel title="Details">
            <GiftFacts gift={gift} />
            <p className="mt-4 border-t border-line pt-4 text-sm text-soft">{aboutRedirect(redirect, isAdmin)}</p>
          </Panel>
        </div>
        {shownMessage !== undefined && (
          <GiftMessage
            giftId={gift.gift_id}
            number={shownMessage}
            isOnlyOne={messages.length === 1}
            headingRef={messageHeading}
          />
        )}
      </div>
      {isRedirecting && gift.method !== 'link' && (
        <RedirectDialog giftId={gift.gift_id} method={gift.method} onClose={() => setIsRedirecting(false)} />
      )}
    </Page>
  );
}

function GiftSummary({ gift }: { gift: History['gift'] }) {
  return (
    <>
      <span className="line-clamp-3 wrap-anywhere">
        <GiftStatusBadge status={gift.status} />
        <span className="ml-2">
          {gift.recipient_name === null ? 'From ' : `For ${gift.recipient_name}, from `}
          {gift.sender_name}
        </span>
      </span>
      <CopyableCode label="Copy gift ID">{gift.gift_id}</CopyableCode>
    </>
  );
}

function aboutRedirect({ reason, left }: History['redirect'], isAdmin: boolean): string {
  if (reason !== null) return whyNot[reason];
  const times = left === 1 ? 'once more' : `${left} more times`;
  return isAdmin
    ? `Delivery failed. You can send it to another address ${times}.`
    : `Delivery failed. An admin can send it to another address ${times}.`;
}

function GiftFacts({ gift }: { gift: History['gift'] }) {
  const { currency, params } = useScope();
  return (
    <Facts
      facts={[
        ['Value', formatMoney(gift.amount, currency)],
        ...(gift.claimed_at === null ? [] : [['Spent', formatMoney(gift.spent_amount, currency)] as const]),
        ['Category', gift.category.name],
        ['Method', giftMethods[gift.method]],
        ...(gift.address === null ? [] : [['Address', gift.address] as const]),
        ...(gift.recipient_name === null ? [] : [['Recipient', gift.recipient_name] as const]),
        ['Sender', gift.sender_name],
        ['Ordered', <Time key="ordered" at={gift.created_at} />],
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
      ]}
    />
  );
}

/** The link of a gift that the organization shares itself. */
function GiftLinkPanel({ giftId }: { giftId: string }) {
  const { path, isAdmin, mayChange } = useScope();
  const link = useQuery({
    queryKey: ['gift-link', path, giftId],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/gifts/{gift_id}/link`, { params: { path: { ...path, gift_id: giftId } } })),
    enabled: mayChange,
  });
  return (
    <Panel title="Gift link" description="Anyone with this link can claim it.">
      {!isAdmin && <p className="text-soft">Only admins can see it.</p>}
      {isAdmin && !mayChange && <p className="text-soft">Hidden while the organization is suspended.</p>}
      {mayChange && link.isPending && <Skeleton lines={3} />}
      {link.error !== null && <ErrorState error={link.error} onRetry={() => void link.refetch()} />}
      {link.data !== undefined && (
        <>
          <p className="rounded-xl bg-sunken px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere">{link.data.link}</p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-soft">
              Works until <Time at={link.data.expires_at} />
            </p>
            <CopyButton text={link.data.link} label="Copy link" />
          </div>
        </>
      )}
    </Panel>
  );
}
