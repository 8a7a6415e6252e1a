import { useState } from 'react';
import { api, unwrap } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';

/** The name that other members see beside the address. */
export function AccountName({ saved }: { saved: string }) {
  const [name, setName] = useState(saved);
  const saving = useAct({
    send: () => unwrap(api.PUT('/portal/api/me/name', { body: { name } })),
    done: name.trim() === '' ? 'Name removed.' : 'Name saved.',
  });
  return (
    <form
      className="mt-5 max-w-md"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <TextField
        label="Your name (optional)"
        hint="Members of your organizations see it beside your address."
        value={name}
        onChange={setName}
        maxLength={80}
        autoComplete="name"
      />
      <FormError error={saving.error} />
      <p className="mt-3">
        <Button type="submit" isBusy={saving.isPending} disabled={name === saved}>
          Save name
        </Button>
      </p>
    </form>
  );
}
