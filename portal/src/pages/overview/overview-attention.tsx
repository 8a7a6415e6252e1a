import { CheckIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useOpenRequests } from '../../api/open-requests.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatCount, formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { outlookText } from '../balance/balance-outlook.ts';

/** In the file of the list of gifts. */
const ResendDialog = lazy(async () => ({ default: (await import('../gifts/gifts.tsx')).ResendDialog }));

type Overview = components['schemas']['Overview'];

const SHOWN = 3;
const linkClass = 'font-semibold text-accent underline-offset-4 hover:underline';

/** Low balance, requests to decide and failed deliveries. */
export function AttentionPanel({ overview: { outlook, attention, first_steps } }: { overview: Overview }) {
  const { includes } = useScope();
  const { count: waiting = 0, has_more = false } = useOpenRequests().data ?? {};
  // A balance that has been empty for over a week has no outlook.
  const isLow = outlook.lasts_less_than_a_week || (outlook.balance === 0 && first_steps.has_order);
  const isCalm = attention.count === 0 && waiting === 0 && !isLow;
  return (
    <Panel title="Needs attention">
      {isCalm && (
        <p className="flex items-center gap-2.5 text-soft">
          <CheckIcon aria-hidden className="size-5 shrink-0 text-good" />
          Nothing right now.
        </p>
      )}
      <ul className="grid gap-5">
        {isLow && <LowBalance outlook={outlook} />}
        {waiting > 0 && includes('gifts') && <Approvals counted={{ count: waiting, has_more }} />}
        {attention.count > 0 && includes('gifts') && <FailedDeliveries attention={attention} />}
      </ul>
    </Panel>
  );
}

function LowBalance({ outlook }: { outlook: Overview['outlook'] }) {
  const { params } = useScope();
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone="warn">Low balance</Badge>
        <Link to="/$organizationId/$environment/balance" params={params} className={linkClass}>
          Add funds
        </Link>
      </p>
      <p className="mt-1.5">{outlookText(outlook)}</p>
    </li>
  );
}

interface Counted {
  count: number;
  has_more: boolean;
}

const countedOf = ({ count, has_more }: Counted) => (has_more ? `More than ${formatCount(count)}` : formatCount(count));

function Approvals({ counted }: { counted: Counted }) {
  const { params } = useScope();
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <Badge tone="warn">
        {countedOf(counted)} {counted.count === 1 ? 'request' : 'requests'} to approve
      </Badge>
      <Link
        to="/$organizationId/$environment/gifts/requests"
        params={params}
        search={{ state: 'open' }}
        className={linkClass}
      >
        Review
      </Link>
    </li>
  );
}

function FailedDeliveries({ attention }: { attention: Overview['attention'] }) {
  const { currency, params, may } = useScope();
  const [isOpen, setIsOpen] = useState(false);
  const { count, newest } = attention;
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone="bad">
          {countedOf(attention)} {count === 1 ? 'failed delivery' : 'failed deliveries'}
        </Badge>
        <Link
          to="/$organizationId/$environment/gifts"
          params={params}
          search={{ status: 'failed' }}
          className={linkClass}
        >
          Show all failed
        </Link>
        {may('manage') && (
          <button type="button" className={linkClass} onClick={() => setIsOpen(true)}>
            Send again …
          </button>
        )}
      </p>
      {isOpen && (
        <Suspense>
          <ResendDialog filters={{ status: 'failed' }} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
      <ul className="mt-1.5">
        {newest.slice(0, SHOWN).map((gift) => (
          <li
            key={gift.gift_id}
            className="grid grid-cols-[1fr_auto] gap-x-4 border-b border-line py-2 last:border-0 last:pb-0"
          >
            <Link
              to="/$organizationId/$environment/gifts/$giftId"
              params={{ ...params, giftId: gift.gift_id }}
              className="truncate font-semibold hover:text-accent"
            >
              {gift.address ?? gift.recipient_name ?? gift.gift_id}
            </Link>
            <span className="text-right tabular-nums">{formatMoney(gift.amount, currency)}</span>
            <span className="col-span-2 line-clamp-2 text-sm text-soft wrap-anywhere">
              Ordered <Time at={gift.created_at} />
              {gift.failure_reason !== null && `: ${gift.failure_reason}`}
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}
