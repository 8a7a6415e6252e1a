import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { portalPath } from '../../base/address.ts';
import { SinglePanel } from '../../layout/single-panel.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

const route = getRouteApi('/sign-in');

/** Signs in, then leads back to the page that asked for it. */
export function SignInPage() {
  const { return_to: returnTo } = route.useSearch();
  return <SignInSteps panel={SinglePanel} who="a member" onSignedIn={useFinish(returnTo)} />;
}

/** Leaves the page after a sign-in. */
function useFinish(returnTo: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  return async () => {
    queryClient.clear();
    // Only portal URLs, so that a link to this page cannot redirect to another site.
    const isOwn = returnTo !== undefined && (returnTo === portalPath || returnTo.startsWith(`${portalPath}/`));
    if (isOwn) router.history.replace(returnTo);
    else await navigate({ to: '/', replace: true });
  };
}
