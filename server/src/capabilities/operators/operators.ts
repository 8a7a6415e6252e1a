import { type Actor, actorAddress } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import { operatorName, recordOperatorEvent } from './operator-log.ts';
import { insertOperator, type OperatorRow, removeOperator, selectIsOperator, selectOperators } from './queries.ts';

type OperatorDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'>;

/** A person who may open the operator's page. */
export interface Operator {
  /** In lower case. */
  email: string;
  /** Who ran the command, such as `root`. */
  added_by: string;
  created_at: Date;
}

/**
 * Lets a person open the operator's page. The first one switches it on.
 *
 * @throws OperatorError if the person is an operator already
 */
export async function addOperator(
  deps: OperatorDeps,
  { email, actor }: { email: string; actor: Actor },
): Promise<Operator> {
  const now = new Date(deps.clock.now());
  const [added] = await insertOperator(deps.database.home, [deps.ids.next(), email, operatorName(actor), now]);
  if (added === undefined) throw new OperatorError(`${email} is an operator already.`);
  await record(deps, actor, 'addOperator', added);
  return present(added);
}

/**
 * Ends a person's sessions of the operator's page, at once. Without any operator the page does not exist.
 *
 * @throws OperatorError if the person is no operator
 */
export async function endOperator(
  deps: OperatorDeps,
  { email, actor }: { email: string; actor: Actor },
): Promise<Operator> {
  const [removed] = await removeOperator(deps.database.home, [email, new Date(deps.clock.now())]);
  if (removed === undefined)
    throw new OperatorError(`${email} is no operator. See who is one with “bestow operator list”.`);
  await record(deps, actor, 'removeOperator', removed);
  return present(removed);
}

/** Lists the operators, the first one first. */
export async function listOperators({ database }: Pick<PlatformDeps, 'database'>) {
  const rows = await selectOperators(database.home, []);
  return rows.map((row) => ({
    ...present(row),
    last_session_at: row.last_session_at,
    has_second_factor: row.has_second_factor,
  }));
}

/** Whether the operator's page ever existed, whether it exists, and whether this person may open it. */
export async function findOperator(
  { database }: Pick<PlatformDeps, 'database'>,
  email: string | null,
): Promise<{ hadAny: boolean; hasAny: boolean; isOne: boolean }> {
  const [row] = await selectIsOperator(database.home, [email]);
  return { hadAny: row?.had_any === true, hasAny: row?.has_any === true, isOne: row?.is_one === true };
}

const record = (deps: OperatorDeps, actor: Actor, action: string, { email }: OperatorRow) =>
  recordOperatorEvent(deps, {
    operator: operatorName(actor),
    address: actorAddress(actor),
    action,
    details: { email },
  });

const present = ({ email, added_by, created_at }: OperatorRow): Operator => ({
  email,
  added_by,
  created_at,
});
