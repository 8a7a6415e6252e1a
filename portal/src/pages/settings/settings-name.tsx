import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Changes the organization's name, which recipients see unless a gift has a sender's name. */
export function NameSettings() {
  const { membership, organizationId } = useScope();
  const saved = membership.organization_name;
  const [name, setName] = useState(saved);
  const queryClient = useQueryClient();
  const router = useRouter();
  const showToast = useToast();
  const saving = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/name`, {
          params: { path: { organization_id: organizationId } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async () => {
      showToast('Name saved.');
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await router.invalidate();
    },
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
