import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { WebhookEvents } from './webhook-events.tsx';
import { WebhookDialog } from './webhook-form.tsx';
import { useWebhooks, type Webhook, WebhookStatus } from './webhook-parts.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { WebhookPage } from './webhook.tsx';

/** The webhook endpoints of the current mode. */
export function WebhooksPage() {
  const { environment, includes, may, params } = useScope();
  const [isAdding, setIsAdding] = useState(false);
  const webhooks = useWebhooks();
  const { data } = webhooks;
  return (
    <Page
      title="Webhooks"
      description="Bestow pushes events to your server: a gift was opened, claimed or spent, an order was placed."
      actions={
        may('integrate') && (
          <Button
            variant="primary"
            onClick={() => setIsAdding(true)}
            disabled={data === undefined || data.data.length >= data.most}
          >
            Add a {environment} endpoint
          </Button>
        )
      }
    >
      <Panel>
        <DataTable
          caption={`${environment === 'live' ? 'Live' : 'Sandbox'} endpoints`}
          columns={columns}
          query={webhooks}
          rowKey={({ endpoint_id }) => endpoint_id}
          rowLink={({ endpoint_id }) => ({
            to: '/$organizationId/$environment/webhooks/$endpointId',
            params: { ...params, endpointId: endpoint_id },
          })}
          loadingLines={4}
          empty={
            <EmptyState title={`No ${environment} endpoints yet`}>
              {includes('integrate')
                ? 'Add one, and your server learns of each event at once.'
                : 'An admin can add one.'}
            </EmptyState>
          }
        />
      </Panel>
      <WebhookEvents />
      {isAdding && data !== undefined && <WebhookDialog types={data.types} onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

const columns: Column<Webhook>[] = [
  {
    header: 'Address',
    cell: ({ url, description }) => (
      <>
        <span className="wrap-anywhere">{url}</span>
        {description !== null && (
          <span className="mt-0.5 block text-sm font-normal text-soft wrap-anywhere">{description}</span>
        )}
      </>
    ),
  },
  { header: 'Status', cell: (endpoint) => <WebhookStatus {...endpoint} /> },
  { header: 'Events', cell: ({ types }) => (types === null ? 'All' : `${types.length} chosen`), isWide: true },
  { header: 'Added', cell: ({ created_at }) => <Time at={created_at} />, isWide: true },
];
