import { findOperator } from '../../../capabilities/operators/operators.ts';
import { queueCode } from '../../../core/notices/queue-code.ts';
import { findInvitations } from '../../../core/organizations/find-invitations.ts';
import { findMemberships } from '../../../core/organizations/find-memberships.ts';
import type { SignInDeps } from './sign-in.ts';
import { CODE_LIFE_SECONDS } from './try-code.ts';

/** Queues the email with a sign-in code for a member of any organization, an invited person or an operator. Sends nothing to other people. */
export async function sendCode(deps: SignInDeps, email: string, code: string): Promise<void> {
  const [membership] = await findMemberships(deps, email);
  const [invitation] = membership === undefined ? await findInvitations(deps, email) : [];
  const known = membership ?? invitation;
  if (known === undefined && !(await findOperator(deps, email)).isOne) return;
  // The organization's spelling of the address.
  await queueCode(deps, { recipient: known?.email ?? email, code, expiresMinutes: CODE_LIFE_SECONDS / 60 });
}
