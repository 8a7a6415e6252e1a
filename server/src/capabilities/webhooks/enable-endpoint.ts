import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { pushEnds } from './push-ends.ts';
import { type EndpointRow, enableEndpoint as enable, selectSequences } from './queries.ts';

/**
 * Switches an endpoint on. It continues after its last event: pending deliveries, and those given up while it failed, are
 * sent at once. Or it begins again from a named sequence; earlier pending deliveries are given up then.
 *
 * @param fromSequence the first event to push
 * @throws BestowError `resource_missing`, `parameter_invalid` for a sequence that does not exist yet or is no longer held
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
      if (fromSequence !== undefined)
        checkSequence(fromSequence, await selectSequences(client, [organizationId, environment, fromSequence]));
      const cursor = fromSequence === undefined ? null : fromSequence - 1;
      const key = [organizationId, environment, endpointId] as const;
      const [endpoint] = await enable(client, [...key, cursor, new Date(deps.clock.now()), pushEnds(deps)]);
      return endpoint;
    },
    taken: ({ url }) => [
      { action: 'webhook.enabled', details: { url: shownUrl(url), from_sequence: fromSequence ?? null } },
    ],
  });
  if (enabled !== 'replayed') return { endpoint: enabled, isReplay: false };
  return { endpoint: await findEndpoint(deps.database.read, caller, endpointId), isReplay: true };
}

/** @throws BestowError `parameter_invalid` */
function checkSequence(fromSequence: number, [held]: Awaited<ReturnType<typeof selectSequences>>): void {
  const [first, next] = [held?.first_sequence ?? 1, (held?.last_sequence ?? 0) + 1];
  const undone = held?.undone ?? null;
  if (fromSequence >= first && fromSequence <= next && undone === null) return;
  const rule =
    undone !== null
      ? `${undone.from} or at least ${undone.to + 1}: those between never happened, because the database was restored`
      : fromSequence < first
        ? `at least ${first}: earlier events were deleted`
        : `at most ${next}, the next event’s sequence`;
  throw new BestowError('parameter_invalid', { param: 'from_sequence', message: `from_sequence must be ${rule}.` });
}
