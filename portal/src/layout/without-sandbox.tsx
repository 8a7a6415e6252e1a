import { useEffect } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../api/use-scope.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { useAct } from '../ui/use-act.ts';

/** Creates the sandbox if the person may, or says who can. */
export function WithoutSandbox() {
  const { organizationId, may } = useScope();
  const mayCreate = may('test');
  const creation = useAct({
    send: () =>
      unwrap(api.POST(`${ORGANIZATION_PATH}/sandbox`, { params: { path: { organization_id: organizationId } } })),
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
