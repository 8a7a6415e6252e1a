import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';

type Message =
  paths['/operator/api/messages/failing']['get']['responses'][200]['content']['application/json']['data'][number];

/** Live messages that no provider accepted, of all organizations. */
export function MessagesPage() {
  const messages = useQuery({
    queryKey: ['failing-messages'],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/messages/failing')),
  });
  return (
    <OperatorPage
      title="Messages"
      description="Live messages to recipients that fail, newest first: at most 20 of an organization, and 100 in all."
    >
      <Panel>
        <DataTable
          caption="Messages that fail, newest first"
          counted={['message', 'messages']}
          columns={columns}
          query={messages}
          rowKey={({ gift_id, created_at }) => `${gift_id} ${created_at}`}
          rowLink={({ gift_id }) => ({ to: '/gifts/$giftId', params: { giftId: gift_id } })}
          empty={<EmptyState title="No message fails">Every live message was accepted by its provider.</EmptyState>}
        />
        <CommandLine command="bestow outbox list --failed" />
      </Panel>
    </OperatorPage>
  );
}

const columns: Column<Message>[] = [
  {
    header: 'To',
    cell: ({ address, channel }) => (
      <>
        <span className="break-all">{address ?? 'Erased'}</span>
        <span className="block text-sm font-normal text-soft">{channel === 'email' ? 'Email' : 'Text message'}</span>
      </>
    ),
  },
  {
    header: 'Why',
    cell: ({ state, tries, reason }) => (
      <>
        {state === 'failed' ? <Badge tone="bad">Failed</Badge> : <Badge tone="warn">Tried {tries} times</Badge>}
        <span className="mt-1 block text-sm wrap-anywhere text-soft">{reason ?? 'No reason is known.'}</span>
      </>
    ),
  },
  { header: 'Organization', isWide: true, cell: (message) => <OrganizationLink of={message} /> },
  { header: 'Since', isWide: true, align: 'right', cell: ({ created_at }) => <Time at={created_at} /> },
];
