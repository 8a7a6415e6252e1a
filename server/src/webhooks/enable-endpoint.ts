import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { type EndpointRow, enableEndpoint as enable, selectLastSequence } from './queries.ts';

/**
 * Switches an endpoint on. It continues after its last event: pending deliveries, and those given up while it failed, are
 * sent at once. Or it begins again from a named sequence; earlier pending deliveries are given up then.
 *
 * @param fromSequence the first event to push
 * @throws BestowError `resource_missing`, `parameter_invalid` for a sequence that does not exist yet
 */
export async function enableEndpoint(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  change: EndpointChange,
  fromSequence: number | undefined,
): Promise<{ endpoint: EndpointRow; isReplay: boolean }> {
  const { caller, endpointId } = change;
  const { organizationId, environment } = caller;
  const enabled = await changeEndpoint(deps, change, {
    async change(client) {
      const [counter] = await selectLastSequence(client, [organizationId, environment]);
      if (fromSequence !== undefined && fromSequence > (counter?.last_sequence ?? 0) + 1)
        throw new BestowError('parameter_invalid', {
          param: 'from_sequence',
          message: `from_sequence must be at most ${(counter?.last_sequence ?? 0) + 1}, the next event’s sequence.`,
        });
      const cursor = fromSequence === undefined ? null : fromSequence - 1;
      const key = [organizationId, environment, endpointId] as const;
      const [endpoint] = await enable(client, [...key, cursor, new Date(deps.clock.now())]);
      return endpoint;
    },
    taken: ({ url }) => ({
      action: 'webhook.enabled',
      details: { url: shownUrl(url), from_sequence: fromSequence ?? null },
    }),
  });
  if (enabled !== 'replayed') return { endpoint: enabled, isReplay: false };
  return { endpoint: await findEndpoint(deps.database.read, caller, endpointId), isReplay: true };
}
