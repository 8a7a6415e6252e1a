import { inOnePacket, wrapQuery } from '../base/private-internals.ts';
import { prepareAgain } from './prepare-again.ts';

/** All organizations: for statements that give a reason why they are not about one (`statementOnEachShard`). */
export const ALL_ORGANIZATIONS = '*';
/** No organization: for statements without a table of organizations, and for queries that name none. */
export const NO_ORGANIZATION = '';
/** Lets the transaction see all organizations. */
export const SEE_ALL = `set local app.organization_id to '${ALL_ORGANIZATIONS}'`;
/** The same as an option of a connection. */
export const SEES_ALL = `-c app.organization_id=${ALL_ORGANIZATIONS}`;

const NAME = `select set_config('app.organization_id', $1, false)`;

interface Asked {
  organizations?: string;
  /** Milliseconds. */
  query_timeout?: number;
}

/** Clients in a transaction, which names its organization itself. */
const inTransactions = new WeakSet<object>();
export const beginNamed = (client: object): unknown => inTransactions.add(client);
export const endNamed = (client: object): unknown => inTransactions.delete(client);

/**
 * Sets the organizations of each statement, so that row security hides all others. Sets them only if the session's last
 * statement had others. A statement fails if its organizations could not be set.
 *
 * @param isPipelined whether the client is; then both are sent in one packet
 */
export function nameOrganizations(client: object, isPipelined: boolean): void {
  let named: string | undefined;
  let isTaken: Promise<unknown> = Promise.resolve();
  wrapQuery(client, (query) => (asked, values, callback) => {
    const { organizations = NO_ORGANIZATION, query_timeout } = asked as Asked;
    const isInTransaction = inTransactions.has(client);
    const name = () => {
      if (organizations === named) return isTaken;
      named = organizations;
      isTaken = query({ name: 'database.name_organizations', text: NAME, values: [organizations], query_timeout });
      isTaken.catch(() => {
        named = undefined;
      });
      return isTaken;
    };
    const answer = prepareAgain(asked, isInTransaction, (prepared) => {
      const send = () => query(prepared, values);
      if (isInTransaction) return send();
      return isPipelined ? inOnePacket(client, () => answerAfter(name(), send())) : name().then(send);
    });
    if (typeof callback !== 'function') return answer;
    return answer.then(
      (result) => callback(undefined, result),
      (error) => callback(error),
    );
  });
}

async function answerAfter(naming: Promise<unknown>, answer: Promise<unknown>): Promise<unknown> {
  const result = await answer;
  await naming;
  return result;
}
