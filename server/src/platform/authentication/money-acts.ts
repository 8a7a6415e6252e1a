import { type MemberPermission, permissions } from './permissions.ts';

/** An act of people that ends in an order, or moves value or its walls. */
interface MoneyAct {
  /** A noun phrase, for people. */
  says: string;
  /** Of the portal. */
  operations: readonly string[];
  /** One of these is needed. */
  needs: readonly MemberPermission[];
  /** `always`: a sign-in within ten minutes is needed; `rules`: while a yearly rule sends by itself. */
  freshSignIn: 'always' | 'rules' | 'never';
  /** What is bought, for whom and in whose name; what else is needed. */
  effect: string;
}

/** Which is tested with each permission, and each pair of them (docs/roles.md#who-moves-money). */
export const moneyActs: readonly MoneyAct[] = [
  {
    says: 'Send gifts; start or resume a file',
    operations: ['sendGifts', 'startBatch', 'resumeBatch'],
    needs: ['order'],
    freshSignIn: 'always',
    effect: 'Bought at once, in the name of the person, within their limits and rules',
  },
  {
    says: 'Ask for a gift',
    operations: ['requestGift'],
    needs: ['order', 'request'],
    freshSignIn: 'never',
    effect: 'Buys nothing',
  },
  {
    says: 'Ask for an order or a file that a rule holds back',
    operations: ['requestOrder', 'requestBatch'],
    needs: ['order'],
    freshSignIn: 'never',
    effect: 'Buys nothing',
  },
  {
    says: 'Approve a request',
    operations: ['approveGiftRequest'],
    needs: ['approve'],
    freshSignIn: 'always',
    effect:
      'Bought within the limits of the person who asked. Own requests only with sending gifts, and without a rule; those of yearly rules not by a person who changes settings but does not send',
  },
  {
    says: 'Add, change or delete a yearly rule',
    operations: ['addYearlyRule', 'changeYearlyRule', 'removeYearlyRule'],
    needs: ['settings'],
    freshSignIn: 'always',
    effect:
      'Bought or asked for in the name of the person who saved it last. One that sends by itself also needs sending gifts, but not to pause or delete it',
  },
  {
    says: 'Change a template',
    operations: ['changeGiftTemplate'],
    needs: ['settings'],
    freshSignIn: 'always',
    effect: 'Also needs sending gifts while a rule sends it by itself',
  },
  {
    says: 'Add, change or import contacts',
    operations: ['addContact', 'changeContact', 'importContacts', 'settleMissingContacts'],
    needs: ['settings'],
    freshSignIn: 'rules',
    effect: 'Address, tags and days also need sending gifts if a rule sends to the contact by itself',
  },
  {
    says: 'Skip a yearly gift, or let it come again',
    operations: ['skipYearlyGift'],
    needs: ['order'],
    freshSignIn: 'never',
    effect: 'To let it come again needs a fresh sign-in, and what an admin skipped also settings',
  },
  {
    says: 'See, replace or export links',
    operations: ['showGiftLink', 'replaceGiftLink', 'exportBatchLinks'],
    needs: ['links'],
    freshSignIn: 'always',
    effect: 'Buys nothing. The holder of a link can claim the gift',
  },
  {
    says: 'Resend, redirect, reschedule or release a gift; let its card be opened again',
    operations: ['resendGift', 'redirectGift', 'scheduleGift', 'releaseGift', 'reopenCard'],
    needs: ['manage'],
    freshSignIn: 'always',
    effect: 'Buys nothing. A redirect gives a gift that failed to another address, within the caps',
  },
  {
    says: 'Cancel gifts, orders or a file',
    operations: ['cancelGift', 'cancelOrder', 'cancelBatch'],
    needs: ['cancel'],
    freshSignIn: 'always',
    effect: 'The value returns to the balance',
  },
  {
    says: 'Approve or decline a change of the balance by the operator',
    operations: ['approveChange', 'declineChange'],
    needs: ['pay'],
    freshSignIn: 'always',
    effect: 'Adds or removes funds. Not by the person who asked, nor by whom they could have made a member',
  },
  {
    says: 'Top up, and add cards',
    operations: ['startTopup', 'payTopup', 'addCard'],
    needs: ['pay'],
    freshSignIn: 'never',
    effect: 'Adds funds that are paid for',
  },
  {
    says: 'Set automatic top-ups',
    operations: ['setAutomaticTopup'],
    needs: ['pay'],
    freshSignIn: 'always',
    effect: 'Adds funds that are paid for by the saved card',
  },
  {
    says: 'Change limits, caps, rules of approval, who may ask, and what happens to unclaimed gifts; release all gifts',
    operations: [
      'setLimits',
      'setSpendingCaps',
      'setApprovalRule',
      'setGiftRequestPolicy',
      'setProgram',
      'releaseGifts',
    ],
    needs: ['settings'],
    freshSignIn: 'always',
    effect: 'Buys nothing. All admins get an email; a weaker rule of two approvals needs a second person',
  },
  {
    says: 'Make keys and agents, and change what an agent may spend',
    operations: ['createKey', 'rollKey', 'createGrant', 'setGrantLimits', 'replaceGrantToken', 'agreeToConnection'],
    needs: ['integrate'],
    freshSignIn: 'always',
    effect: 'A key may send anything to anyone, in the name of the organization. All admins get an email',
  },
  {
    says: 'Invite and activate members; change their roles and teams, and own roles',
    operations: ['inviteMember', 'activateMember', 'changeMemberRole', 'setTeam', 'createRole', 'changeRole'],
    needs: ['members'],
    freshSignIn: 'always',
    effect: 'Buys nothing. Only admins do this',
  },
];

const FRESH = { always: '✓', rules: 'while a rule sends by itself', never: '' } as const;

/** The table for people, in Markdown. */
export function moneyActsTable(): string {
  const rows = moneyActs.map(({ says, needs, freshSignIn, effect }) => {
    const needed = needs.map((one) => permissions[one].says).join(', or ');
    return `| ${says} | ${needed} | ${FRESH[freshSignIn]} | ${effect} |`;
  });
  return ['| Act | Needs | Sign-in within ten minutes | What follows |', '| --- | --- | :-: | --- |', ...rows].join(
    '\n',
  );
}
