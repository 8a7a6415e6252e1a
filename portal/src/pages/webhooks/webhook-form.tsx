import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { NewSecretDialog, type Webhook } from './webhook-parts.tsx';

interface WebhookDialogProps {
  /** Undefined: a new one. */
  endpoint?: Webhook;
  types: readonly string[];
  onClose: () => void;
}

/** Adds an endpoint and shows its secret once, or changes an endpoint. */
export function WebhookDialog({ endpoint, types, onClose }: WebhookDialogProps) {
  const { path, environment } = useScope();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(endpoint?.types ?? []);
  const [isOrdered, setIsOrdered] = useState(endpoint?.ordered ?? false);
  const body = {
    url: url.trim(),
    description: description.trim() || null,
    types: chosen.length === 0 ? null : [...chosen],
    ordered: isOrdered,
  };
  const saving = useAct({
    send: async () => {
      if (endpoint === undefined) return unwrap(api.POST(`${SCOPE_PATH}/webhooks`, { params: { path }, body }));
      const params = { path: { ...path, endpoint_id: endpoint.endpoint_id } };
      await unwrap(api.PUT(`${SCOPE_PATH}/webhooks/{endpoint_id}`, { params, body }));
      return undefined;
    },
    // The secret is shown even if the list cannot be loaded.
    waits: false,
    onDone: (added) => added === undefined && onClose(),
  });
  const addressFault = addressFaultOf(saving.error);
  if (saving.data !== undefined) return <NewSecretDialog value={saving.data.secret} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={endpoint === undefined ? `Add a ${environment} endpoint` : 'Change the endpoint'}
      description="Bestow posts each event to this address, signed with a secret."
    >
      <DialogForm
        onSubmit={() => saving.mutate()}
        onCancel={onClose}
        error={addressFault === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action={endpoint === undefined ? 'Add endpoint' : 'Save'}
        isIncomplete={url.trim() === ''}
        isCancelDisabled={saving.isPending}
      >
        <TextField
          label="Address"
          hint="Such as https://shop.example/bestow."
          error={addressFault}
          value={url}
          onChange={setUrl}
          required
        />
        <TextField label="Note" value={description} onChange={setDescription} maxLength={200} autoComplete="off" />
        <TypeFields types={types} chosen={chosen} onChange={setChosen} />
        <label className="mt-4 flex items-start gap-2">
          <input type="checkbox" checked={isOrdered} onChange={(event) => setIsOrdered(event.target.checked)} />
          <span>One event after another, in order. An event that is not accepted holds up those after it.</span>
        </label>
      </DialogForm>
    </Dialog>
  );
}

/** The server's sentence with the field's label instead of its name. */
const addressFaultOf = (error: Error | null): string | undefined =>
  error instanceof ApiError && error.param === 'url' ? error.message.replace(/^url /, 'The address ') : undefined;

interface TypeFieldsProps {
  types: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function TypeFields({ types, chosen, onChange }: TypeFieldsProps) {
  return (
    <details className="mt-4" open={chosen.length > 0}>
      <summary className="cursor-pointer font-semibold">
        Events: {chosen.length === 0 ? 'all' : `${chosen.length} chosen`}
      </summary>
      <fieldset className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <legend className="sr-only">Types of events; none chosen means all</legend>
        {types.map((type) => (
          <label key={type} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, type] : chosen.filter((other) => other !== type))
              }
            />
            <span className="font-mono text-[0.8125rem]">{type}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
