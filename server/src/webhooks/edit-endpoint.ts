import type { Deps } from '../deps.ts';
import { changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { checkUrl, type EndpointInput, shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { pushEnds } from './push-ends.ts';
import { deleteEndpoint, type EndpointRow, updateEndpoint } from './queries.ts';

type EditDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

/**
 * Changes what is given of an endpoint.
 *
 * @throws BestowError `parameter_invalid`, `resource_missing`
 */
export async function editEndpoint(
  deps: EditDeps,
  change: EndpointChange,
  input: Partial<EndpointInput>,
): Promise<EndpointRow> {
  const { caller, endpointId } = change;
  const url = input.url === undefined ? undefined : checkUrl(input.url, caller.environment, deps);
  const changed = await changeEndpoint(deps, change, {
    async change(client, { is_ordered, ...kept }) {
      const [updated] = await updateEndpoint(client, [
        caller.organizationId,
        caller.environment,
        endpointId,
        url ?? kept.url,
        input.description === undefined ? kept.description : input.description,
        input.types === undefined ? kept.types : input.types,
        input.isOrdered ?? is_ordered,
        pushEnds(deps),
      ]);
      return updated;
    },
    taken: (before) => ({ action: 'webhook.changed', details: { url: shownUrl(url ?? before.url) } }),
  });
  return changed === 'replayed' ? findEndpoint(deps.database.read, caller, endpointId) : changed;
}

/** Removes an endpoint with its deliveries. @throws BestowError `resource_missing` */
export async function removeEndpoint(deps: EditDeps, change: EndpointChange): Promise<EndpointRow> {
  const { caller, endpointId } = change;
  const removed = await changeEndpoint(deps, change, {
    async change(client) {
      const [row] = await deleteEndpoint(client, [caller.organizationId, caller.environment, endpointId]);
      return row;
    },
    taken: ({ url }) => ({ action: 'webhook.removed', details: { url: shownUrl(url) } }),
  });
  return removed as EndpointRow;
}
