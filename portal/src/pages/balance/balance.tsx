import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Operator } from '../../layout/operator.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { ErrorState, RefreshFailed, Skeleton } from '../../ui/states.tsx';
import { AlertPanel } from './balance-alert.tsx';
import { ApprovalsPanel } from './balance-approvals.tsx';
import { EntriesPanel } from './balance-entries.tsx';
import { outlookText } from './balance-outlook.ts';
import { StatementsPanel } from './balance-statements.tsx';
import { TestFundsDialog } from './balance-test-funds.tsx';
import { TopupPanels } from './topups.tsx';

type Balance = components['schemas']['Balance'];

/** The balance, its alert, its statements and its ledger. */
export function BalancePage() {
  const { path, environment, may } = useScope();
  const [isAdding, setIsAdding] = useState(false);
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
  });
  const canTopUp = environment === 'live' && balance.data?.can_top_up === true;
  const hasInstructions = environment === 'live' && !canTopUp;
  return (
    <Page
      title="Balance"
      description="Orders are charged here; one you can’t cover is declined."
      actions={
        environment === 'sandbox' &&
        may('test') && (
          <Button variant="primary" onClick={() => setIsAdding(true)} disabled={balance.data === undefined}>
            Add test funds
          </Button>
        )
      }
    >
      {balance.error !== null && balance.data === undefined ? (
        <Panel>
          <ErrorState error={balance.error} onRetry={() => void balance.refetch()} />
        </Panel>
      ) : (
        <>
          {balance.error !== null && <RefreshFailed error={balance.error} />}
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
            <div className="grid empty:hidden lg:col-span-2">
              <ApprovalsPanel />
            </div>
            <BalancePanel balance={balance.data} />
            <AlertPanel balance={balance.data} />
            {hasInstructions && <FundingPanel balance={balance.data} />}
            <div className={hasInstructions ? 'grid' : 'grid lg:col-span-2'}>
              <StatementsPanel />
            </div>
          </div>
        </>
      )}
      {canTopUp && <TopupPanels />}
      <EntriesPanel />
      {isAdding && balance.data !== undefined && (
        <TestFundsDialog mostCents={balance.data.most_test_funds} onClose={() => setIsAdding(false)} />
      )}
    </Page>
  );
}

function BalancePanel({ balance }: { balance: Balance | undefined }) {
  const { currency, environment } = useScope();
  return (
    <Panel title={environment === 'live' ? 'Live balance' : 'Sandbox balance'}>
      {balance === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <>
          <p
            data-testid="balance"
            className="font-serif text-4xl leading-11 font-semibold tabular-nums wrap-anywhere sm:text-5xl sm:leading-14"
          >
            {formatMoney(balance.outlook.balance, currency)}
          </p>
          <p className="mt-1 text-soft">{outlookText(balance.outlook)}</p>
          {balance.owed > 0 && (
            <p role="alert" className="mt-3 rounded-xl border border-bad/40 bg-bad-wash px-4 py-3 text-bad">
              {formatMoney(balance.owed, currency)} is owed after a refund or chargeback. Orders are declined until it
              is paid; added funds pay it first.
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

/** How to add money: by a transfer, which the operator credits. */
function FundingPanel({ balance }: { balance: Balance | undefined }) {
  const { organizationId } = useScope();
  return (
    <Panel title="Add funds" description="Transfer money with this reference. It shows here once credited.">
      {balance === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <Facts
          facts={[
            [
              'How',
              <span key="how" className="whitespace-pre-line">
                {balance.funding_instructions ?? (
                  <>
                    Ask <Operator /> for the bank details.
                  </>
                )}
              </span>,
            ],
            [
              'Reference',
              <span key="reference" className="inline-flex max-w-full items-center gap-1">
                <span className="min-w-0 font-mono text-[0.875rem]">{organizationId}</span>
                <CopyButton text={organizationId} label="Copy reference" isIconOnly />
              </span>,
            ],
          ]}
        />
      )}
    </Panel>
  );
}
