import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { selectRaised } from './membership-queries.ts';

/**
 * Requires that a member was not added, activated or given another role since the day before something was asked for: the person
 * who asked could have a second mailbox.
 *
 * @param organizationId UUID
 * @param others who decides instead, as the end of a sentence
 * @throws OperatorError
 */
export async function requireSecondPerson(
  client: Queryable,
  organizationId: string,
  { memberId, email }: Extract<Actor, { kind: 'member' }>,
  askedAt: Date,
  others: string,
): Promise<void> {
  const raised = await selectRaised(client, [organizationId, memberId, askedAt, encodeId('mem', memberId)]);
  if (raised.length > 0)
    throw new OperatorError(
      `${email} was added, activated or given their role since the day before this was asked for. ${others}`,
    );
}
