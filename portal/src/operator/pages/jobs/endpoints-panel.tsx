import { Badge } from '../../../ui/badge.tsx';
import { formatCount } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { modeName, type Work } from './job-rows.ts';

type Endpoint = Work['endpoints'][number];

/** Webhook endpoints whose last push failed, and those that were switched off for it. */
export const EndpointsPanel = ({ endpoints }: { endpoints: Work['endpoints'] }) => (
  <Panel title="Failing webhook endpoints" description="The one that has failed for longest is first.">
    <DataTable
      caption="Failing webhook endpoints"
      columns={columns}
      query={shown(endpoints)}
      rowKey={({ endpoint_id }) => endpoint_id}
      empty={<NothingHere>No endpoint fails.</NothingHere>}
    />
    <CommandLine command="bestow doctor --work" />
  </Panel>
);

const columns: Column<Endpoint>[] = [
  {
    header: 'Endpoint',
    cell: (endpoint) => (
      <>
        <span className="font-semibold break-all">{endpoint.url}</span>
        <span className="block text-sm">
          <OrganizationLink of={endpoint} />, {modeName(endpoint.environment)}
        </span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ disabled_at, disabled_reason, failures }) =>
      disabled_at === null ? (
        <Badge tone="warn">{formatCount(failures)} failed</Badge>
      ) : (
        <Badge tone="bad">{disabled_reason === 'gone' ? 'Off: gone' : 'Off: failed too long'}</Badge>
      ),
  },
  {
    header: 'Failing since',
    align: 'right',
    isWide: true,
    cell: ({ failing_since }) => (failing_since === null ? '–' : <Time at={failing_since} />),
  },
];
