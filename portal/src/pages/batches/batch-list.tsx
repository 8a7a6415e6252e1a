import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { formatCount, formatMoney } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export type Batch = components['schemas']['Batch'];

const looks: Record<Batch['state'], { tone: Tone; label: string }> = {
  draft: { tone: 'plain', label: 'Draft' },
  running: { tone: 'calm', label: 'Sending' },
  stopped: { tone: 'warn', label: 'Stopped' },
  canceling: { tone: 'calm', label: 'Canceling' },
  ended: { tone: 'good', label: 'Done' },
};

export const BatchBadge = ({ state }: Pick<Batch, 'state'>) => (
  <Badge tone={looks[state].tone}>{looks[state].label}</Badge>
);

const columnsOf = (currency: string): Column<Batch>[] => [
  { header: 'File', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { header: 'State', cell: ({ state }) => <BatchBadge state={state} /> },
  { header: 'Started', cell: ({ started_at, created_at }) => <Time at={started_at ?? created_at} />, isWide: true },
  { header: 'By', cell: ({ member }) => <span className="break-all">{member}</span>, isWide: true },
  { header: 'Gifts', cell: ({ placed, rows }) => `${formatCount(placed)} of ${formatCount(rows)}`, align: 'right' },
  { header: 'Amount', cell: ({ amount }) => formatMoney(amount, currency), align: 'right', isWide: true },
];

/** The files that were sent lately. */
export function SentFilesPage() {
  const { path, params, currency } = useScope();
  const batches = useQuery({
    queryKey: ['batches', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/batches`, { params: { path } })),
  });
  return (
    <Page title="Sent files" description="Files of gifts, and gifts to contacts, newest first.">
      <Panel>
        <DataTable
          caption="Sent files"
          columns={columnsOf(currency)}
          query={batches}
          rowKey={({ batch_id }) => batch_id}
          rowLink={({ batch_id }) => ({
            to: '/$organizationId/$environment/gifts/files/$batchId',
            params: { ...params, batchId: batch_id },
          })}
          empty={<p className="text-soft">None yet.</p>}
          loadingLines={3}
        />
      </Panel>
    </Page>
  );
}
