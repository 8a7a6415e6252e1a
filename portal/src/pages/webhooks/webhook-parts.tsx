import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

export type Webhook = components['schemas']['Webhook'];

/** All endpoints of the mode: at most ten. */
export function useWebhooks() {
  const { path } = useScope();
  return useQuery({
    queryKey: ['webhooks', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/webhooks`, { params: { path } })),
  });
}

export function WebhookStatus({ status, disabled_reason }: Webhook) {
  if (status === 'enabled') return <Badge tone="good">Accepting</Badge>;
  if (status === 'failing') return <Badge tone="warn">Failing</Badge>;
  if (disabled_reason === 'requested') return <Badge tone="plain">Off</Badge>;
  return <Badge tone="bad">{disabled_reason === 'gone' ? 'Off: answered 410' : 'Off: failed five days'}</Badge>;
}

/** A type of event, which breaks behind its dots and underscores only. */
export const EventName = ({ type }: { type: string }) =>
  type.split(/(?<=[._])/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

export const NewSecretDialog = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <SecretDialog
    title="Save the secret"
    description="With it your server checks that an event is from Bestow."
    what="secret"
    value={value}
    onClose={onClose}
  />
);
