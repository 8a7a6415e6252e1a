import { formatCount, formatMoney } from '../../../ui/formats.ts';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { ActButton } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { BalanceDialog } from './balance-dialog.tsx';
import { CapsDialog } from './caps-dialog.tsx';
import { environmentNames, type Organization } from './organization-query.ts';

type OneEnvironment = Organization['environments'][number];

interface MoneyPanelProps {
  organization: Organization;
  of: OneEnvironment;
}

/** The money of one mode, its caps, and the acts on them. */
export function MoneyPanel({ organization, of }: MoneyPanelProps) {
  const { currency } = useSession().service;
  const { environment, balance, owed, last_order, failed_messages, caps } = of;
  const { organization_id: id } = organization;
  return (
    <Panel title={environmentNames[environment]}>
      <p className="mb-4">
        <span className="block text-sm text-soft">Balance</span>
        <span className="text-2xl font-semibold tabular-nums">{formatMoney(balance, currency)}</span>
        {owed > 0 && <span className="ml-3 font-semibold text-bad">owes {formatMoney(owed, currency)}</span>}
      </p>
      <Facts
        facts={[
          [
            'Last order',
            last_order === null ? (
              'None'
            ) : (
              <>
                {formatMoney(last_order.amount, currency)}, <Time at={last_order.created_at} />
              </>
            ),
          ],
          ['Failed messages', `${formatCount(failed_messages.count)}${failed_messages.has_more ? ' or more' : ''}`],
          ['Spending caps', <Caps key="caps" caps={caps} currency={currency} />],
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <ActButton label="Add funds" about={`in ${environment}`} variant="primary">
          {(onClose) => (
            <BalanceDialog kind="funding" organization={organization} environment={environment} onClose={onClose} />
          )}
        </ActButton>
        <ActButton label="Correct the balance" about={`in ${environment}`}>
          {(onClose) => (
            <BalanceDialog kind="adjustment" organization={organization} environment={environment} onClose={onClose} />
          )}
        </ActButton>
        <ActButton label="Set spending caps" about={`in ${environment}`}>
          {(onClose) => <CapsDialog organization={organization} of={of} onClose={onClose} />}
        </ActButton>
      </div>
      <CommandLine command={`bestow org show ${id}`} />
    </Panel>
  );
}

function Caps({ caps, currency }: { caps: OneEnvironment['caps']; currency: string }) {
  const set = caps.filter(({ hour, day }) => hour !== null || day !== null);
  if (set.length === 0) return 'None';
  return (
    <ul>
      {set.map(({ key_id, name, hour, day }) => (
        <li key={key_id ?? 'all'}>
          {key_id === null ? 'All orders' : `Key ${name ?? key_id}`}:{' '}
          {[hour && `${usedOf(hour, currency)} this hour`, day && `${usedOf(day, currency)} today`]
            .filter((text) => text !== null)
            .join(', ')}
        </li>
      ))}
    </ul>
  );
}

const usedOf = ({ cap, spent }: { cap: number; spent: number }, currency: string) =>
  `${formatMoney(spent, currency)} of ${formatMoney(cap, currency)}`;
