import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { TakenWebhookAction } from './actions.ts';
import { changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { checkUrl, type EndpointEdit, shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { pushEnds } from './push-ends.ts';
import { deleteEndpoint, disableEndpoint, type EndpointRow, enableEndpoint, updateEndpoint } from './queries.ts';

type EditDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

/**
 * Changes what is given of an endpoint. One that is switched off gets nothing; switched on again, it continues as with
 * `enableEndpoint`.
 *
 * @throws BestowError `parameter_invalid`, `resource_missing`
 */
export async function editEndpoint(
  deps: EditDeps,
  change: EndpointChange,
  { status, ...input }: EndpointEdit,
): Promise<EndpointRow> {
  const { caller, endpointId } = change;
  const url = input.url === undefined ? undefined : checkUrl(input.url, caller.environment, deps);
  const isSwitched = ({ disabled_at }: EndpointRow) => status === (disabled_at === null ? 'disabled' : 'enabled');
  const isEdited = status === undefined || Object.keys(input).length > 0;
  const changed = await changeEndpoint(deps, change, {
    async change(client, before) {
      const edited = isEdited
        ? await update(client, deps, change, { ...before, url: url ?? before.url }, input)
        : before;
      return edited && isSwitched(before) ? switchTo(client, deps, change, status) : edited;
    },
    taken(before) {
      const details = { url: shownUrl(url ?? before.url) };
      return [
        ...(isEdited ? [{ action: 'webhook.changed', details } as const] : []),
        ...(isSwitched(before) ? [switched(status, details.url)] : []),
      ];
    },
  });
  return changed === 'replayed' ? findEndpoint(deps.database.read, caller, endpointId) : changed;
}

async function update(
  client: PoolClient,
  deps: EditDeps,
  { caller, endpointId }: EndpointChange,
  { url, is_ordered, ...kept }: EndpointRow,
  { description, types, isOrdered }: EndpointEdit,
): Promise<EndpointRow | undefined> {
  const [updated] = await updateEndpoint(client, [
    caller.organizationId,
    caller.environment,
    endpointId,
    url,
    description === undefined ? kept.description : description,
    types === undefined ? kept.types : types,
    isOrdered ?? is_ordered,
    pushEnds(deps),
  ]);
  return updated;
}

async function switchTo(
  client: PoolClient,
  deps: EditDeps,
  { caller, endpointId }: EndpointChange,
  status: EndpointEdit['status'],
): Promise<EndpointRow | undefined> {
  const key = [caller.organizationId, caller.environment, endpointId] as const;
  const [now, ends] = [new Date(deps.clock.now()), pushEnds(deps)];
  const [row] =
    status === 'disabled'
      ? await disableEndpoint(client, [...key, now, ends])
      : await enableEndpoint(client, [...key, null, now, ends]);
  return row;
}

const switched = (status: EndpointEdit['status'], url: string): TakenWebhookAction =>
  status === 'disabled'
    ? { action: 'webhook.disabled', details: { url } }
    : { action: 'webhook.enabled', details: { url, from_sequence: null } };

/** Removes an endpoint with its deliveries. @throws BestowError `resource_missing` */
export async function removeEndpoint(deps: EditDeps, change: EndpointChange): Promise<EndpointRow> {
  const { caller, endpointId } = change;
  const removed = await changeEndpoint(deps, change, {
    async change(client) {
      const [row] = await deleteEndpoint(client, [caller.organizationId, caller.environment, endpointId]);
      return row;
    },
    taken: ({ url }) => [{ action: 'webhook.removed', details: { url: shownUrl(url) } }],
  });
  return removed as EndpointRow;
}
