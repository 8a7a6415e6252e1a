import { getRouteApi } from '@tanstack/react-router';
import type { Environment } from './organization-query.ts';

const route = getRouteApi('/signed-in/organizations/$organizationId');

type Search = ReturnType<typeof route.useSearch>;

/** The mode of the lists, and their pages, which are in the URL. */
export function useOrganizationSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { organizationId } = route.useParams();
  const environment: Environment = search.environment === 'sandbox' ? 'sandbox' : 'live';
  return {
    search,
    environment,
    path: { organization_id: organizationId, environment },
    setEnvironment: (next: Environment) => void navigate({ search: { environment: next }, resetScroll: false }),
    /** Changes parameters; undefined removes one. */
    change: (changes: { [Name in keyof Search]?: Search[Name] | undefined }) =>
      void navigate({
        search: (before: Search) =>
          Object.fromEntries(
            Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
          ) as Search,
        resetScroll: false,
      }),
  };
}
