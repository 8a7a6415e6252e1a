import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Event =
  paths['/portal/api/sign-in-events']['get']['responses'][200]['content']['application/json']['data'][number];

const columns: Column<Event>[] = [
  {
    header: 'What',
    cell: ({ sentence, address }) => (
      <>
        <span className="font-semibold">{sentence}</span>
        <span className="block text-sm text-soft">{address}</span>
      </>
    ),
  },
  { header: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The person's own log, which no organization sees. */
export function AccountEvents() {
  const events = useQuery({
    queryKey: ['sign-in-events'],
    queryFn: () => unwrap(api.GET('/portal/api/sign-in-events')),
  });
  return (
    <Panel title="Recent activity" description="Your sign-ins and changes. Only you and the operator can see them.">
      <DataTable
        caption="Recent activity"
        columns={columns}
        query={events}
        rowKey={({ event_id }) => event_id}
        loadingLines={3}
        empty={<p className="text-soft">Nothing yet.</p>}
      />
    </Panel>
  );
}
