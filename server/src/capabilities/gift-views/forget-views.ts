import type { Queryable } from '../../platform/database/statement.ts';
import * as queries from './queries.ts';

/** Deletes the saved views of a member whose address is erased. */
export const forgetViewsBy = (client: Queryable, organizationId: string, memberId: string): Promise<unknown> =>
  queries.deleteViewsOfMember(client, [organizationId, memberId]);
