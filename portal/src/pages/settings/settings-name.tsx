import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';

/** Changes the organization's name, which recipients see unless a gift has a sender's name. */
export function NameSettings() {
  const { membership, organizationId } = useScope();
  const saved = membership.organization_name;
  const [name, setName] = useState(saved);
  const saving = useAct({
    send: () =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/name`, {
          params: { path: { organization_id: organizationId } },
          body: { name: name.trim() },
        }),
      ),
    done: 'Name saved.',
  });
  return (
    <form
      className="mb-6 max-w-md"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <TextField
        label="Name"
        hint="Recipients see it as the sender of gifts. Gifts that were ordered keep the earlier name."
        value={name}
        onChange={setName}
        maxLength={200}
        autoComplete="organization"
        required
      />
      <FormError error={saving.error} />
      <p className="mt-3">
        <Button
          type="submit"
          variant="secondary"
          isBusy={saving.isPending}
          disabled={name.trim() === saved || name.trim() === ''}
        >
          Save name
        </Button>
      </p>
    </form>
  );
}
