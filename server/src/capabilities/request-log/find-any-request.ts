import type { Deps } from '../../core/deps.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { LoggedRequest } from './portal-schema.ts';
import { presentRequest } from './present-request.ts';
import { selectRequestByTime } from './queries.ts';

/** A request is written within seconds of the time in its id. */
const WITHIN_MS = 60_000;

interface FoundRequest extends LoggedRequest {
  organization_id: string;
  environment: Environment;
}

type FindDeps = { database: Pick<Deps['database'], 'shards'> };

/**
 * Finds a logged request of any organization, for the operator.
 *
 * @param requestId `req_…`; ignores surrounding spaces and case
 * @throws OperatorError if the log does not have it
 */
export async function findAnyRequest(deps: FindDeps, requestId: string): Promise<FoundRequest> {
  const text = requestId.trim().toLowerCase();
  if (decodeId('req', text) === undefined)
    throw new OperatorError(`${requestId} is not the id of a request, which begins with req_.`);
  const found = await findLoggedRequest(deps, text);
  if (found === undefined)
    throw new OperatorError(
      `The log has no request ${text}. It keeps requests with a known key for seven days; the service’s own log has all.`,
    );
  return found;
}

/** The same; undefined if the log does not have it. */
export async function findLoggedRequest({ database }: FindDeps, requestId: string): Promise<FoundRequest | undefined> {
  const id = decodeId('req', requestId.trim().toLowerCase());
  if (id === undefined) return undefined;
  // A version 7 UUID begins with its time.
  const timeMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const range = [new Date(timeMs - WITHIN_MS), new Date(timeMs + WITHIN_MS)] as const;
  const row = await selectRequestByTime.find(database.shards, [id, ...range]);
  if (row === undefined) return undefined;
  const { organization_id, environment, ...request } = row;
  return { ...presentRequest(request), organization_id: encodeId('org', organization_id), environment };
}
