import { Link } from '@tanstack/react-router';
import { dateOf } from 'bestow-readers/time.ts';
import { type ReactNode, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countOf, formatDay, formatMoney, formatShortDay } from '../../ui/formats.ts';
import type { Column } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useAct } from '../../ui/use-act.ts';
import { occasions, type YearlyGift } from './calendar.ts';
import { noteOf } from './gift-notes.ts';

const looks: Record<YearlyGift['state'], { tone: Tone; label: string }> = {
  coming: { tone: 'plain', label: 'Comes' },
  requested: { tone: 'calm', label: 'Waits for approval' },
  waiting: { tone: 'warn', label: 'Waits' },
  scheduled: { tone: 'calm', label: 'Ordered' },
  ordered: { tone: 'good', label: 'Sent' },
  skipped: { tone: 'plain', label: 'Skipped' },
  declined: { tone: 'plain', label: 'Not approved' },
  missed: { tone: 'bad', label: 'Missed' },
  canceled: { tone: 'plain', label: 'Canceled' },
};

const nameOf = ({ name, address }: YearlyGift) => name ?? address ?? 'Deleted contact';
const isOpen = ({ state, is_contact }: YearlyGift) =>
  is_contact && ['coming', 'waiting', 'requested', 'scheduled'].includes(state);
/** Skipping it ends more than a plan. */
const isAsked = ({ state }: YearlyGift) => state === 'requested' || state === 'scheduled';
/** A skipped gift can come again until its day. */
const canReturn = ({ state, due_at }: YearlyGift) => state === 'skipped' && dateOf(due_at).getTime() > Date.now();

/** With the year if it is not this one. */
const dayOf = (date: string) =>
  date.startsWith(`${new Date().getFullYear()}-`) ? formatShortDay(date) : formatDay(date);

function occasionOf({ occasion, years }: YearlyGift): string {
  if (years === null) return occasions[occasion];
  return occasion === 'birthday' ? `${occasions.birthday}, ${years}` : `${countOf(years, 'year')} at work`;
}

/**
 * The columns of gifts, with the act that skips one, and its question.
 *
 * @param options `hasYears`: whether they are of several years; otherwise their heading says the year
 */
export function useGiftColumns({ hasYears = false } = {}): { columns: Column<YearlyGift>[]; question: ReactNode } {
  const { path, params, currency, may } = useScope();
  const showToast = useToast();
  const skipping = useAct({
    send: ({ gift: { rule_id, contact_id, year }, is_skipped }: { gift: YearlyGift; is_skipped: boolean }) => {
      const body = { rule_id, contact_id, year, is_skipped };
      return unwrap(api.PUT(`${SCOPE_PATH}/yearly-gifts/skips`, { params: { path }, body }));
    },
    done: (_answer, { is_skipped }) => (is_skipped ? 'Gift skipped for this year.' : 'The gift comes again.'),
  });
  const [asked, setAsked] = useState<YearlyGift>();
  const skip = (gift: YearlyGift, is_skipped: boolean) => {
    if (is_skipped && isAsked(gift)) return setAsked(gift);
    skipping.mutate({ gift, is_skipped }, { onError: (error) => showToast(error.message) });
  };
  const close = () => setAsked(undefined);
  const question = asked !== undefined && (
    <ConfirmDialog
      isOpen
      onClose={close}
      title={`Skip the gift to ${nameOf(asked)} this year?`}
      description={
        asked.state === 'scheduled'
          ? `It is ordered, and goes out on ${formatDay(asked.date)}. It is canceled, and ${formatMoney(asked.amount, currency)} returns to the balance.`
          : 'Its request under Approvals is withdrawn.'
      }
      action="Skip gift"
      dismiss="Keep gift"
      act={{ ...skipping, mutate: () => skipping.mutate({ gift: asked, is_skipped: true }, { onSuccess: close }) }}
    />
  );
  const columns: Column<YearlyGift>[] = [
    {
      header: 'Day and person',
      cell: (gift) => (
        // On a phone the day is above the name.
        <span className="flex flex-col gap-x-4 md:flex-row">
          <span className={`whitespace-nowrap text-soft md:shrink-0 ${hasYears ? 'md:w-28' : 'md:w-16'}`}>
            {hasYears ? dayOf(gift.date) : formatShortDay(gift.date)}
          </span>
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
    ...(may('order') ? [actionColumn(skip, skipping.isPending, may)] : []),
  ];
  return { columns, question };
}

const actionColumn = (
  skip: (gift: YearlyGift, isSkipped: boolean) => void,
  isBusy: boolean,
  may: ReturnType<typeof useScope>['may'],
): Column<YearlyGift> => ({
  header: 'Action',
  align: 'right',
  cell: (gift) =>
    isOpen(gift) && (gift.state !== 'scheduled' || may('cancel')) ? (
      <Button size="small" isBusy={isBusy} aria-label={`Skip ${nameOf(gift)}`} onClick={() => skip(gift, true)}>
        Skip
      </Button>
    ) : canReturn(gift) && (!gift.needs_settings || may('settings')) ? (
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={`Undo the skip of ${nameOf(gift)}`}
        onClick={() => skip(gift, false)}
      >
        Undo
      </Button>
    ) : null,
});

type Params = ReturnType<typeof useScope>['params'];

function State({ gift, params }: { gift: YearlyGift; params: Params }) {
  const { state, gift_id, gift_request_id } = gift;
  const { tone, label } = looks[state];
  const note = noteOf(gift);
  return (
    <>
      <Leading giftId={gift_id} requestId={gift_request_id} params={params}>
        <Badge tone={tone}>{label}</Badge>
      </Leading>
      {note !== null && <span className="mt-0.5 block text-sm text-soft">{note}</span>}
    </>
  );
}

interface LeadingProps {
  giftId: string | null;
  requestId: string | null;
  params: Params;
  children: ReactNode;
}

/** Leads to the gift, or to the request before it. */
function Leading({ giftId, requestId, params, children }: LeadingProps) {
  if (giftId !== null)
    return (
      <Link to="/$organizationId/$environment/gifts/$giftId" params={{ ...params, giftId }}>
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
