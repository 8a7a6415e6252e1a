import { Link } from '@tanstack/react-router';
import { dateOf } from 'bestow-readers/time.ts';
import type { ReactNode } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, formatMoney, formatShortDay } from '../../ui/formats.ts';
import type { Column } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { occasions, useCalendarChange, type YearlyGift } from './calendar.ts';

const looks: Record<YearlyGift['state'], { tone: Tone; label: string }> = {
  coming: { tone: 'plain', label: 'Comes' },
  requested: { tone: 'calm', label: 'Waits for approval' },
  waiting: { tone: 'warn', label: 'Waits' },
  ordered: { tone: 'good', label: 'Bought' },
  skipped: { tone: 'plain', label: 'Skipped' },
  declined: { tone: 'plain', label: 'Not approved' },
  missed: { tone: 'bad', label: 'Missed' },
};

const reasons: Readonly<Record<string, string>> = {
  insufficient_balance: 'The balance is too low.',
  organization_cap_reached: 'A spending cap does not allow it.',
  member_cap_reached: 'A limit of the admin does not allow it.',
  team_cap_reached: 'A limit of the team does not allow it.',
  recipient_cap_reached: 'The recipient has got the most for a day.',
  yearly_limit: 'The rule has spent its limit.',
  admin_required: 'Another admin must save the rule.',
  gifts_on_hold: 'All gifts are on hold.',
  organization_suspended: 'The organization is suspended.',
  late: 'The service was down.',
  paused: 'The rule was paused.',
};

const nameOf = ({ name, address }: YearlyGift) => name ?? address;
const isOpen = ({ state }: YearlyGift) => state === 'coming' || state === 'waiting';
/** A skipped gift can come again until its day. */
const canReturn = ({ state, due_at }: YearlyGift) => state === 'skipped' && dateOf(due_at).getTime() > Date.now();

function occasionOf({ occasion, years }: YearlyGift): string {
  if (years === null) return occasions[occasion];
  return occasion === 'birthday' ? `${occasions.birthday}, ${years}` : `${countOf(years, 'year')} at work`;
}

/** The columns of a month's gifts, with the act that skips one. */
export function useGiftColumns(): Column<YearlyGift>[] {
  const { path, params, currency, may } = useScope();
  const showToast = useToast();
  const skipping = useCalendarChange(
    ({ gift: { rule_id, contact_id, year }, is_skipped }: { gift: YearlyGift; is_skipped: boolean }) => {
      const body = { rule_id, contact_id, year, is_skipped };
      return unwrap(api.PUT(`${SCOPE_PATH}/yearly-gifts/skips`, { params: { path }, body }));
    },
    ({ is_skipped }) => (is_skipped ? 'Gift skipped for this year.' : 'The gift comes again.'),
  );
  const skip = (gift: YearlyGift, is_skipped: boolean) =>
    skipping.mutate({ gift, is_skipped }, { onError: (error) => showToast(error.message) });
  return [
    {
      header: 'Day and person',
      cell: (gift) => (
        // On a phone the day is above the name.
        <span className="flex flex-col gap-x-4 md:flex-row">
          <span className="whitespace-nowrap text-soft md:w-16 md:shrink-0">{formatShortDay(gift.date)}</span>
          <span className="min-w-0">
            <bdi className="block font-semibold wrap-anywhere">{nameOf(gift)}</bdi>
            <span className="text-sm text-soft">{occasionOf(gift)}</span>
          </span>
        </span>
      ),
    },
    { header: 'Rule', cell: ({ rule }) => <bdi className="wrap-anywhere">{rule}</bdi>, isWide: true },
    { header: 'Amount', cell: ({ amount }) => formatMoney(amount, currency), align: 'right', isWide: true },
    { header: 'State', cell: (gift) => <State gift={gift} params={params} /> },
    ...(may('order') ? [actionColumn(skip)] : []),
  ];
}

const actionColumn = (skip: (gift: YearlyGift, isSkipped: boolean) => void): Column<YearlyGift> => ({
  header: 'Action',
  align: 'right',
  cell: (gift) =>
    isOpen(gift) ? (
      <Button size="small" aria-label={`Skip ${nameOf(gift)}`} onClick={() => skip(gift, true)}>
        Skip
      </Button>
    ) : canReturn(gift) ? (
      <Button size="small" aria-label={`Undo the skip of ${nameOf(gift)}`} onClick={() => skip(gift, false)}>
        Undo
      </Button>
    ) : null,
});

type Params = ReturnType<typeof useScope>['params'];

function State({ gift, params }: { gift: YearlyGift; params: Params }) {
  const { state, reason, order_id, gift_request_id, mode } = gift;
  const { tone, label } = looks[state];
  const note =
    reason === null ? (state === 'coming' && mode === 'approval' ? 'With approval' : null) : reasonText(reason);
  return (
    <>
      <Leading orderId={order_id} requestId={gift_request_id} params={params}>
        <Badge tone={tone}>{label}</Badge>
      </Leading>
      {note !== null && <span className="mt-0.5 block text-sm text-soft">{note}</span>}
    </>
  );
}

const reasonText = (reason: string) => reasons[reason] ?? 'It was refused.';

interface LeadingProps {
  orderId: string | null;
  requestId: string | null;
  params: Params;
  children: ReactNode;
}

/** Leads to the order, or to the request before it. */
function Leading({ orderId, requestId, params, children }: LeadingProps) {
  if (orderId !== null)
    return (
      <Link to="/$organizationId/$environment/orders/$orderId" params={{ ...params, orderId }}>
        {children}
      </Link>
    );
  if (requestId !== null)
    return (
      <Link to="/$organizationId/$environment/gifts/requests/$requestId" params={{ ...params, requestId }}>
        {children}
      </Link>
    );
  return children;
}
