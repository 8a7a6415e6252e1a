import { decodeId } from '../../base/ids.ts';
import { inTransaction } from '../../database/connections.ts';
import { queueNotices } from '../../notices/queue-notices.ts';
import { findMemberships } from '../../organizations/find-memberships.ts';
import { CODE_LIFE_SECONDS } from './auth-options.ts';
import type { SignInDeps } from './sign-in.ts';

/**
 * Queues the email with a sign-in code for an organization of the person. Sends nothing to non-members. The code is
 * stored encrypted.
 */
export async function sendCode(deps: SignInDeps, email: string, code: string): Promise<void> {
  const [membership] = await findMemberships(deps, email);
  const organizationId = membership && decodeId('org', membership.organization_id);
  if (membership === undefined || organizationId === undefined) return;
  await inTransaction(deps.database.pool, (client) =>
    queueNotices(client, deps, {
      organizationId,
      // The organization's spelling.
      recipients: [membership.email],
      notice: {
        kind: 'sign_in_code',
        details: { sealed_code: deps.seal.seal(code), expires_minutes: CODE_LIFE_SECONDS / 60 },
      },
    }),
  );
}
