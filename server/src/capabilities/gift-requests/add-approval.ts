import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import { insertApproval, lockForDecision, selectApprovals, selectDecision } from './approval-queries.ts';
import type { OneRequest } from './queries.ts';

interface Decision {
  /** UUID. */
  requestId: string;
  actor: Extract<Actor, { kind: 'member' }>;
}

/**
 * Requires that a member decides a request that is not decided yet.
 *
 * @throws BestowError `resource_missing`; `refused` if a rule leaves the request to others
 */
export async function requireDecider(
  client: PoolClient,
  one: OneRequest,
  { actor }: Pick<Decision, 'actor'>,
): Promise<'undecided' | 'decided'> {
  const [request] = await selectDecision(client, [...one, actor.memberId]);
  if (request === undefined) throw new BestowError('resource_missing');
  if (request.state !== 'open' && request.state !== 'approving') return 'decided';
  if (!request.may_decide)
    throw new BestowError('refused', {
      message: request.is_own
        ? 'Another person must decide what you asked for.'
        : 'This request is left to others: by a rule of the organization, because the person who asked added you or gave you your role since the day before, or because your role changes what yearly gifts send but does not include sending gifts.',
    });
  return 'undecided';
}

/**
 * Notes a member's approval of a request that needs several, once.
 *
 * @returns whether the request has all approvals that it needs, or is decided
 * @throws BestowError as `requireDecider`
 */
export const addApproval = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { organizationId, environment }: Scope,
  { requestId, actor }: Decision,
): Promise<boolean> =>
  inOrganization(deps.database, organizationId, async (client) => {
    const one: OneRequest = [organizationId, environment, requestId];
    await lockForDecision(client, one);
    if ((await requireDecider(client, one, { actor })) === 'decided') return true;
    const [before] = await selectApprovals(client, one);
    if (before?.approvals_needed === 1) return true;
    const [added] = await insertApproval(client, [...one, actor.memberId, new Date(deps.clock.now())]);
    const [approvals] = await selectApprovals(client, one);
    if (approvals === undefined) throw new BestowError('resource_missing');
    const { approvals_needed: needed, approved_by, amount_cents, agent_name } = approvals;
    if (approved_by.length >= needed) return true;
    if (added !== undefined)
      await recordEvent(client, deps, actor, {
        organizationId,
        environment,
        target: encodeId('ask', requestId),
        action: 'gift_request.approved_first',
        details: { amount_cents, ...(agent_name === null ? {} : { agent: agent_name }) },
      });
    return false;
  });
