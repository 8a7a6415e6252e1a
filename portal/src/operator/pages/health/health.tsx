import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { countOf, formatCount, formatDay, formatMoney, formatShare } from '../../../ui/formats.ts';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { bytesText } from './bytes-text.ts';
import { FindingsPanel } from './findings-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';

type Health = components['schemas']['OperatedHealth'];

/** How the service is. */
export function HealthPage() {
  const health = useQuery({ queryKey: ['health'], queryFn: () => unwrap(operatorApi.GET('/operator/api/health')) });
  return (
    <OperatorPage title="Health" description="How the service is, and what to do about it.">
      <FindingsPanel />
      <Loaded query={health} lines={8}>
        {(shown) => (
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <LedgerPanel verification={shown.verification} />
            <ServicePanel version={shown.version} servers={shown.servers} />
            <div className="lg:col-span-2">
              <CapacityPanel capacity={shown.capacity} />
            </div>
          </div>
        )}
      </Loaded>
    </OperatorPage>
  );
}

function ServicePanel({ version, servers }: Pick<Health, 'version' | 'servers'>) {
  const { currency, public_url, environments, approval_above } = useSession().service;
  return (
    <Panel title="Service">
      <Facts
        facts={[
          ['Version', version],
          ['Address', public_url],
          ['Database servers', formatCount(servers)],
          ['Currency', currency],
          ['Modes', environments.map((one) => (one === 'live' ? 'Live' : 'Sandbox')).join(' and ')],
          ['Second person', approval_above === 0 ? 'Never needed' : `Above ${formatMoney(approval_above, currency)}`],
        ]}
      />
    </Panel>
  );
}

const CapacityPanel = ({ capacity }: Pick<Health, 'capacity'>) => {
  const { orders, orders_per_day, database_bytes, growth_bytes_per_day, disk, full_on } = capacity;
  return (
    <Panel title="Database" description="Growth is the mean of the last seven days.">
      <Facts
        facts={[
          ['Size', bytesText(database_bytes)],
          ['Growth', `${bytesText(growth_bytes_per_day)} a day, with ${countOf(orders_per_day, 'order')} a day`],
          ['Orders', formatCount(orders)],
          [
            'Disk',
            disk === null
              ? 'On another machine'
              : `${bytesText(disk.free_bytes)} free of ${bytesText(disk.total_bytes)} (${formatShare(disk.free_bytes / disk.total_bytes)})`,
          ],
          ...(disk === null ? [] : [['Full on', full_on === null ? 'Not in ten years' : formatDay(full_on)] as const]),
        ]}
      />
      <CommandLine command="bestow doctor --capacity" />
    </Panel>
  );
};
