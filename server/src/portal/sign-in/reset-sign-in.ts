import type { Deps } from '../../deps.ts';
import { changeMember, type MemberChange } from '../../organizations/change-member.ts';
import type { PresentedMember } from '../../organizations/present-member.ts';
import { deletePerson, selectPerson } from './queries.ts';

/**
 * Takes a person's authenticator app, recovery codes, passkeys and sessions away, in every organization: from then on a code
 * by email alone signs them in. For those who lost all of it, or whose app was sealed with a secret that is gone. Of a person
 * who never signed in there is nothing to take.
 *
 * @throws OperatorError where there is no such organization or it has no such member
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
