import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { useScope } from '../api/use-scope.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';

/** Creates the sandbox if the person may, or says who can. */
export function WithoutSandbox() {
  const { organizationId, may } = useScope();
  const mayCreate = may('test');
  const queryClient = useQueryClient();
  const router = useRouter();
  const creation = useMutation({
    mutationFn: () =>
      unwrap(api.POST(`${ORGANIZATION_PATH}/sandbox`, { params: { path: { organization_id: organizationId } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await router.invalidate();
    },
  });
  const { mutate } = creation;
  useEffect(() => {
    if (mayCreate) mutate();
  }, [mayCreate, mutate]);

  if (!mayCreate)
    return <EmptyState title="There is no sandbox yet">An admin creates it by opening this page.</EmptyState>;
  if (creation.isError)
    return (
      <EmptyState title="The sandbox could not be created">
        <p role="alert">{creation.error.message}</p>
        <p className="mt-3">
          <Button onClick={() => mutate()}>Try again</Button>
        </p>
      </EmptyState>
    );
  return (
    <div className="p-8">
      <Skeleton lines={6} />
    </div>
  );
}
