import type { Deps } from '../../core/deps.ts';
import { listGrants } from '../../core/grants/list-grants.ts';
import { revokeGrant } from '../../core/grants/revoke-grant.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { accountOf } from './account.ts';

interface Ending {
  /** `signed_out`: the assistant ended it; `used_twice`: a code or refresh token came again, so someone else may have it. */
  reason: 'signed_out' | 'used_twice';
  /** The client's IP address. */
  address: string;
}

/** Ends the grant of an assistant. If its sign-in was used twice, all admins get an email. */
export async function endConnection(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  accountId: string,
  { reason, address }: Ending,
): Promise<void> {
  const account = accountOf(accountId);
  const organizationId = encodeId('org', account.organizationId);
  const grantId = encodeId('grant', account.grantId);
  const grant = (await listGrants(deps, organizationId)).find(({ grant_id }) => grant_id === grantId);
  if (grant === undefined) return;
  const actor = { kind: 'key', keyId: grant.key_ids[0] ?? grantId, isAgent: true, address } as const;
  await revokeGrant(deps, { organizationId, grantId, actor, reason });
}
