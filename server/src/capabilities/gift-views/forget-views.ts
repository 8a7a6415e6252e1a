import type { Queryable } from '../../platform/database/statement.ts';
import * as queries from './queries.ts';

/** Shorter parts are in many addresses, as `ann` is. */
const LEAST_LENGTH = 4;

/** Deletes saved views that search for a recipient's address. @param address in lower case */
export const forgetViewsOf = (client: Queryable, organizationId: string, address: string): Promise<unknown> =>
  queries.deleteViewsFor(client, [organizationId, address, LEAST_LENGTH]);

/** Deletes the saved views of a member whose address is erased. */
export const forgetViewsBy = (client: Queryable, organizationId: string, memberId: string): Promise<unknown> =>
  queries.deleteViewsOfMember(client, [organizationId, memberId]);
