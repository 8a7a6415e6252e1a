import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { given } from '../../base/search.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { AutomaticPanel } from './topup-automatic.tsx';
import { BankAccount } from './topup-bank-account.tsx';
import { CardsPanel } from './topup-cards.tsx';
import { TopupDialog } from './topup-start.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/balance');

type Topup = components['schemas']['Topup'];

const states: Record<Topup['state'], { tone: Tone; word: string }> = {
  pending: { tone: 'calm', word: 'Not paid yet' },
  processing: { tone: 'calm', word: 'On its way' },
  action_required: { tone: 'warn', word: 'Confirm at your bank' },
  succeeded: { tone: 'good', word: 'Added' },
  failed: { tone: 'bad', word: 'Failed' },
  canceled: { tone: 'plain', word: 'Not paid' },
};

const kinds: Record<Topup['kind'], string> = {
  checkout: 'Card',
  bank_transfer: 'Bank transfer',
  automatic: 'Automatic',
};

/** How an organization funds its live balance by itself, and what it paid. */
export function TopupPanels() {
  const { organizationId, may } = useScope();
  const [isAdding, setIsAdding] = useState(false);
  const { topups_after: after, topups_before: before, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const query = given({ after, before });
  const topups = useQuery({
    queryKey: ['topups', organizationId, query],
    queryFn: () =>
      unwrap(
        api.GET(`${ORGANIZATION_PATH}/live/topups`, { params: { path: { organization_id: organizationId }, query } }),
      ),
    placeholderData: keepPreviousData,
  });
  useLostCursor(topups.error, () => void navigate({ search, replace: true }));
  const options = topups.data?.options;
  return (
    <>
      <Panel
        title="Add funds"
        description="Paid funds show here, and in the balance once the payment is confirmed."
        actions={
          may('pay') && (
            <Button variant="primary" size="small" onClick={() => setIsAdding(true)} disabled={options === undefined}>
              Add funds by card
            </Button>
          )
        }
      >
        {options?.has_bank_transfers && may('pay') && <BankAccount />}
        <DataTable
          caption="Top-ups, newest first"
          counted={['top-up', 'top-ups']}
          columns={columns}
          query={topups}
          rowKey={({ topup_id }) => topup_id}
          loadingLines={3}
          empty={<EmptyState title="No top-ups yet" />}
        />
        <ListPager
          page={topups.data}
          onPage={(cursor) =>
            void navigate({
              search:
                'after' in cursor
                  ? { ...search, topups_after: cursor.after }
                  : { ...search, topups_before: cursor.before },
            })
          }
        />
      </Panel>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <CardsPanel />
        <AutomaticPanel options={options} />
      </div>
      {isAdding && options !== undefined && <TopupDialog options={options} onClose={() => setIsAdding(false)} />}
    </>
  );
}

function Amount({ topup }: { topup: Topup }) {
  const { currency, may } = useScope();
  return (
    <>
      <span className="font-semibold tabular-nums">{formatMoney(topup.amount, currency)}</span>
      {topup.fee > 0 && (
        <span className="mt-0.5 block text-sm text-soft tabular-nums">+ {formatMoney(topup.fee, currency)} fee</span>
      )}
      {topup.taken_back > 0 && (
        <span className="mt-0.5 block text-sm text-bad tabular-nums">
          − {formatMoney(topup.taken_back, currency)} taken back
        </span>
      )}
      {topup.can_be_paid && may('pay') && <PayButton topupId={topup.topup_id} />}
    </>
  );
}

const columns: Column<Topup>[] = [
  {
    header: 'Top-up',
    cell: ({ kind, created_at, state, failure }) => (
      <>
        <span className="mr-2 font-semibold">{kinds[kind]}</span>
        <Badge tone={states[state].tone}>{states[state].word}</Badge>
        {state === 'failed' && failure !== null && (
          <span className="mt-1 block text-sm text-soft wrap-anywhere">{failure}</span>
        )}
        <span className="mt-0.5 block text-sm text-soft">
          <Time at={created_at} />
        </span>
      </>
    ),
  },
  { header: 'By', isWide: true, cell: ({ created_by }) => <span className="wrap-anywhere">{created_by}</span> },
  {
    header: 'Documents',
    isWide: true,
    cell: ({ receipt_url, invoice_url }) => (
      <span className="flex flex-wrap gap-x-4 gap-y-1">
        <DocumentLink url={invoice_url} name="Invoice" />
        <DocumentLink url={receipt_url} name="Receipt" />
      </span>
    ),
  },
  { header: 'Amount', align: 'right', cell: (topup) => <Amount topup={topup} /> },
];

const DocumentLink = ({ url, name }: { url: string | null; name: string }) =>
  url !== null && (
    <a href={url} target="_blank" rel="noreferrer" className="font-semibold text-accent underline underline-offset-2">
      {name}
    </a>
  );

function PayButton({ topupId }: { topupId: string }) {
  const { organizationId } = useScope();
  const payment = useAct({
    send: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/live/topups/{topup_id}/pay`, {
          params: { path: { organization_id: organizationId, topup_id: topupId } },
        }),
      ),
    onDone: ({ url }) => window.location.assign(url),
  });
  return (
    <div className="mt-2">
      <Button size="small" onClick={() => payment.mutate()} isBusy={payment.isPending}>
        Pay now
      </Button>
      <FormError error={payment.error} />
    </div>
  );
}
