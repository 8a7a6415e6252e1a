import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/code.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { DisableDialog, EnableButton, RemoveDialog, RotateDialog } from './webhook-acts.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookDialog } from './webhook-form.tsx';
import { useWebhooks, type Webhook, WebhookStatus } from './webhook-parts.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/webhooks/$endpointId');

export function WebhookPage() {
  const { params, may } = useScope();
  const { endpointId } = route.useParams();
  const [open, setOpen] = useState<'edit' | 'disable' | 'rotate' | 'remove'>();
  const navigate = useNavigate();
  const webhooks = useWebhooks();
  const endpoint = webhooks.data?.data.find(({ endpoint_id }) => endpoint_id === endpointId);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={endpoint === undefined ? 'Webhook endpoint' : endpoint.url}
      tabTitle="Webhook endpoint"
      crumb={
        <Link to="/$organizationId/$environment/webhooks" params={params}>
          Webhooks
        </Link>
      }
      description={<CopyableCode label="Copy endpoint ID">{endpointId}</CopyableCode>}
      actions={
        may('integrate') &&
        endpoint !== undefined && (
          <>
            {endpoint.status === 'disabled' && <EnableButton endpoint={endpoint} />}
            {endpoint.status !== 'disabled' && <Button onClick={() => setOpen('disable')}>Switch off</Button>}
            <Button onClick={() => setOpen('edit')}>Change</Button>
            <Button onClick={() => setOpen('rotate')}>Replace secret</Button>
            <Button variant="danger" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          </>
        )
      }
    >
      <Panel title="Details">
        <Loaded query={webhooks} lines={6}>
          {() => (endpoint === undefined ? <Missing /> : <WebhookFacts {...endpoint} />)}
        </Loaded>
      </Panel>
      {endpoint !== undefined && <WebhookDeliveries endpoint={endpoint} />}
      {open === 'edit' && webhooks.data !== undefined && endpoint !== undefined && (
        <WebhookDialog endpoint={endpoint} types={webhooks.data.types} onClose={close} />
      )}
      {open === 'disable' && endpoint !== undefined && <DisableDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && endpoint !== undefined && <RotateDialog endpoint={endpoint} onClose={close} />}
      {open === 'remove' && endpoint !== undefined && (
        <RemoveDialog
          endpoint={endpoint}
          onClose={close}
          onRemoved={() => navigate({ to: '/$organizationId/$environment/webhooks', params })}
        />
      )}
    </Page>
  );
}

const Missing = () => (
  <EmptyState title="Endpoint not found">It may belong to the other mode, or was removed.</EmptyState>
);

function WebhookFacts(endpoint: Webhook) {
  const { types, ordered, description, failing_since, paused_until, disabled_at, created_at, sequence } = endpoint;
  const { previous_secret_until } = endpoint;
  return (
    <Facts
      facts={[
        ['Status', <WebhookStatus key="status" {...endpoint} />],
        ...(failing_since === null ? [] : [['Failing since', <Time key="failing" at={failing_since} />] as const]),
        ...(paused_until === null
          ? []
          : [['Asked to wait until', <Time key="paused" at={paused_until} hasSeconds />] as const]),
        ...(disabled_at === null ? [] : [['Switched off', <Time key="disabled" at={disabled_at} />] as const]),
        ['Events', types === null ? 'All' : types.join(', ')],
        ['Order', ordered ? 'One event after another' : 'Several at once'],
        ['Last event', `${sequence}`],
        ...(description === null ? [] : [['Note', description] as const]),
        ...(previous_secret_until === null
          ? []
          : [['Earlier secrets until', <Time key="secret" at={previous_secret_until} />] as const]),
        ['Added', <Time key="added" at={created_at} />],
      ]}
    />
  );
}
