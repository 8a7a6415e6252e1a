import type { Deps } from '../../deps.ts';
import { changeMember, type MemberChange } from '../../organizations/change-member.ts';
import type { PresentedMember } from '../../organizations/present-member.ts';
import { deletePerson, selectPerson } from './queries.ts';

/**
 * Deletes a person's authenticator app, recovery codes, passkeys and sessions in every organization. Afterwards a code by
 * email is enough to sign in. Does nothing if the person never signed in.
 *
 * @throws OperatorError if the organization or the member does not exist
 */
export async function resetSignIn(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: MemberChange,
): Promise<PresentedMember> {
  const change = { ...input, keepsAdmin: false };
  const { member } = await changeMember(deps, change, {
    isDone: async ({ email }, client) => (await selectPerson(client, [email])).length === 0,
    async apply(client, before) {
      await deletePerson(client, [before.email]);
      return [before];
    },
    event: ({ email }) => ({ action: 'member.sign_in_reset', details: { email } }),
  });
  return member;
}
