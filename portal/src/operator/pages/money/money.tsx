import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { ExportLink } from '../../../ui/export-link.tsx';
import { DateFilter } from '../../../ui/filters.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { BankPanel } from './bank-panel.tsx';
import { IssuerBalances } from './issuer-balances.tsx';
import type { Money } from './money-report.ts';
import { TrialBalance } from './trial-balance.tsx';

const route = getRouteApi('/signed-in/money');

/** What all organizations have, beside what the bank and the issuers hold. */
export function MoneyPage() {
  const { day } = route.useSearch();
  const navigate = route.useNavigate();
  const money = useQuery({
    queryKey: ['money', day],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/money', { params: { query: given({ day }) } })),
    placeholderData: keepPreviousData,
  });
  return (
    <OperatorPage
      title="Money"
      description="Live money of all organizations. What is held for them should be at the bank and at the issuers."
      actions={<ExportLink href="/operator/api/money.csv" query={{ day }} />}
    >
      <div className="-mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <DateFilter
          label="Day"
          value={day ?? ''}
          onChange={(chosen) => void navigate({ search: chosen === '' ? {} : { day: chosen } })}
        />
        {money.data !== undefined && (
          <p className="text-sm text-soft">
            The books as of <Time at={money.data.at} />. Days are in UTC.
          </p>
        )}
      </div>
      <Loaded query={money} lines={12}>
        {(shown) => (
          <>
            <Sums live={shown.live} day={day} />
            <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
              <BankPanel money={shown} />
              <IssuerBalances issuers={shown.issuers} />
            </div>
            <TrialBalance money={shown} />
          </>
        )}
      </Loaded>
    </OperatorPage>
  );
}

const sums: readonly (readonly [keyof Money['live'], string, string])[] = [
  ['balances', 'Balances', 'Organizations can spend it.'],
  ['owed', 'Owed', 'Organizations owe it to the service.'],
  ['unclaimed', 'Unclaimed gifts', 'Recipients can claim it.'],
  ['on_cards', 'On cards', 'Claimed and not spent yet.'],
];

function Sums({ live, day }: { live: Money['live']; day: string | undefined }) {
  const { currency } = useSession().service;
  return (
    <Panel title="At a glance">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 min-[26rem]:grid-cols-2 lg:grid-cols-4">
        {sums.map(([name, label, meaning]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{label}</dt>
            <dd className={`text-2xl font-semibold ${name === 'owed' && live.owed > 0 ? 'text-bad' : ''}`}>
              {formatMoney(live[name], currency)}
            </dd>
            <dd className="text-sm text-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
      <CommandLine command={`bestow report money${day === undefined ? '' : ` --day ${day}`}`} />
    </Panel>
  );
}
