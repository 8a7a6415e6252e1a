import { idBefore } from '../../platform/base/id-time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { selectRaised } from './membership-queries.ts';

/** Whether a member was added, activated or given another role since a time. Ids are UUIDs. */
export const wasRaisedSince = async (
  client: Queryable,
  { organizationId, memberId }: { organizationId: string; memberId: string },
  since: Date,
): Promise<boolean> =>
  (await selectRaised(client, [organizationId, memberId, since, idBefore(since), encodeId('mem', memberId)])).length >
  0;
