import { Badge } from '../../../ui/badge.tsx';
import { formatChange } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Money } from './money-report.ts';

interface Line {
  account: string;
  meaning: string;
  live: number | undefined;
  sandbox: number | undefined;
}

/** Every account of all organizations. Their sum is zero, or the books are wrong. */
export function TrialBalance({ money: { trial_balance, at } }: { money: Money }) {
  const { currency } = useSession().service;
  const isZero = trial_balance.every(({ sum }) => sum === 0);
  return (
    <Panel
      title="Trial balance"
      description="Every account of all organizations. The sum must be zero."
      actions={
        isZero ? (
          <Badge tone="good">Sums to zero</Badge>
        ) : (
          <Badge tone="bad">Does not sum to zero: verify the ledger</Badge>
        )
      }
    >
      <DataTable
        caption="Accounts"
        columns={columnsOf(currency)}
        query={shown(linesOf(trial_balance))}
        rowKey={({ account }) => account}
        empty={null}
      />
      <CommandLine command={`bestow ledger trial-balance --at ${at}`} />
    </Panel>
  );
}

function linesOf(balances: Money['trial_balance']): Line[] {
  const of = (environment: 'live' | 'sandbox') => balances.find((one) => one.environment === environment);
  const amountIn = (environment: 'live' | 'sandbox', account: string) =>
    of(environment)?.accounts.find((one) => one.account === account)?.amount;
  const [first] = balances;
  return [
    ...(first?.accounts ?? []).map(({ account, meaning }) => ({
      account,
      meaning,
      live: amountIn('live', account),
      sandbox: amountIn('sandbox', account),
    })),
    { account: 'Sum', meaning: '', live: of('live')?.sum, sandbox: of('sandbox')?.sum },
  ];
}

const columnsOf = (currency: string): Column<Line>[] => [
  {
    header: 'Account',
    cell: ({ account, meaning }) => (
      <>
        <span className="font-semibold">{account}</span>
        <span className="block text-sm text-soft max-md:hidden">{meaning}</span>
      </>
    ),
  },
  { header: 'Live', align: 'right', cell: ({ live }) => amountText(live, currency) },
  { header: 'Sandbox', align: 'right', isWide: true, cell: ({ sandbox }) => amountText(sandbox, currency) },
];

const amountText = (cents: number | undefined, currency: string) => (
  <span className="whitespace-nowrap">{cents === undefined ? '–' : formatChange(cents, currency)}</span>
);
