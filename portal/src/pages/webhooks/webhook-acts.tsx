import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { NewSecretDialog, type Webhook } from './webhook-parts.tsx';

interface ActProps {
  endpoint: Webhook;
  onClose: () => void;
}

const useParams = ({ endpoint_id }: Webhook) => {
  const { path } = useScope();
  return { path: { ...path, endpoint_id } };
};

export function EnableButton({ endpoint }: { endpoint: Webhook }) {
  const params = useParams(endpoint);
  const enabling = useAct({
    send: () => unwrap(api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/enable`, { params })),
    done: 'The endpoint is on. It gets every event since it stopped.',
    saysRefusal: true,
  });
  return (
    <Button variant="primary" isBusy={enabling.isPending} onClick={() => enabling.mutate()}>
      Switch on
    </Button>
  );
}

export function DisableDialog({ endpoint, onClose }: ActProps) {
  const params = useParams(endpoint);
  const disabling = useAct({
    send: () => unwrap(api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/disable`, { params })),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Switch the endpoint off?"
      description="It gets nothing until you switch it on. Then it gets every event since, as long as the feed keeps them."
      action="Switch off"
      isDanger={false}
      act={disabling}
    />
  );
}

export function RotateDialog({ endpoint, onClose }: ActProps) {
  const [endsEarlier, setEndsEarlier] = useState(false);
  const params = useParams(endpoint);
  const rotation = useAct({
    send: () => {
      const body = { ends_earlier: endsEarlier };
      return unwrap(api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/rotate`, { params, body }));
    },
    waits: false,
  });
  if (rotation.data !== undefined) return <NewSecretDialog value={rotation.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Replace the secret?"
      description="You get a new secret. For one day each event is signed with both, so that your server can change over."
      action="Replace secret"
      isDanger={false}
      act={rotation}
    >
      <label className="mt-4 flex items-start gap-2">
        <input type="checkbox" checked={endsEarlier} onChange={({ target }) => setEndsEarlier(target.checked)} />
        <span>A secret was stolen: sign with the new one only, from now on.</span>
      </label>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ endpoint, onClose, onRemoved }: ActProps & { onRemoved: () => Promise<void> }) {
  const params = useParams(endpoint);
  const removal = useAct({
    send: () => unwrap(api.DELETE(`${SCOPE_PATH}/webhooks/{endpoint_id}`, { params })),
    onAnswer: onRemoved,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Remove the endpoint?"
      description="It gets no more events, and the record of its deliveries is deleted. You cannot undo this."
      action="Remove endpoint"
      act={removal}
    />
  );
}
