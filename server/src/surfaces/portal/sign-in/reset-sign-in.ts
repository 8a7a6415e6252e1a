import type { Deps } from '../../../core/deps.ts';
import { changeMember, type MemberChange } from '../../../core/organizations/change-member.ts';
import type { PresentedMember } from '../../../core/organizations/present-member.ts';
import { alertSignIn } from './alert-sign-in.ts';
import { deleteFailures } from './flow-queries.ts';
import { deletePerson, selectPerson } from './queries.ts';

/**
 * Deletes a person's authenticator app, recovery codes, passkeys and sessions in every organization. Afterwards a code by
 * email is enough to sign in, so all admins get a mail if the person is one. Does nothing if the person never signed in.
 *
 * Records the reset first: after a crash in between, the person is still there, and repeating the command deletes it.
 *
 * @throws OperatorError if the organization or the member does not exist
 */
export async function resetSignIn(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: MemberChange,
): Promise<PresentedMember> {
  const { home } = deps.database;
  const change = { ...input, keepsAdmin: false };
  const { member } = await changeMember(deps, change, {
    isDone: async ({ email }) => (await selectPerson(home, [email])).length === 0,
    apply: async (_client, before) => [before],
    event: ({ email }) => ({ action: 'member.sign_in_reset', details: { email } }),
  });
  await deleteFailures(home, [member.email]);
  if ((await selectPerson(home, [member.email])).length > 0)
    await alertSignIn(deps, member.email, 'sign_in_reset', input.actor);
  await deletePerson(home, [member.email]);
  return member;
}
