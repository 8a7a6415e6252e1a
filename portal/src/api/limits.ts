import { api, SCOPE_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

export type Limits = components['schemas']['Limits'];

interface Path {
  organization_id: string;
  environment: 'live' | 'sandbox';
}

/** The limits of members and teams that have some, in one environment. */
export const limitsQuery = (path: Path) => ({
  queryKey: ['limits', path] as const,
  queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/limits`, { params: { path } })),
});
