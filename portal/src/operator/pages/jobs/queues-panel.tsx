import { formatCount } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Work } from './job-rows.ts';

type Queue = Work['queues'][number];

/** Jobs that wait, by queue. */
export const QueuesPanel = ({ queues }: { queues: Work['queues'] }) => (
  <Panel title="Queues" description="A due job that stays for minutes means that no worker runs, or that it fails.">
    <DataTable
      caption="Queues"
      columns={columns}
      query={shown(queues)}
      rowKey={({ queue }) => queue}
      empty={<NothingHere>No job waits.</NothingHere>}
    />
    <CommandLine command="bestow doctor --work" />
  </Panel>
);

const columns: Column<Queue>[] = [
  { header: 'Queue', cell: ({ queue }) => <span className="font-semibold wrap-anywhere">{queue}</span> },
  { header: 'Due', align: 'right', cell: ({ due }) => formatCount(due) },
  { header: 'Waiting', align: 'right', isWide: true, cell: ({ waiting }) => formatCount(waiting) },
  { header: 'Retried', align: 'right', cell: ({ retried }) => formatCount(retried) },
  {
    header: 'Oldest due since',
    align: 'right',
    isWide: true,
    cell: ({ oldest_due_at }) => (oldest_due_at === null ? '–' : <Time at={oldest_due_at} />),
  },
];
