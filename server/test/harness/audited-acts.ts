import { randomUUID } from 'node:crypto';
import type { Action } from '../../src/audit/actions.ts';
import { addFunds, adjustBalance } from '../../src/balances/change-balance.ts';
import { setBalanceAlert } from '../../src/balances/set-balance-alert.ts';
import type { Actor } from '../../src/base/actor.ts';
import type { Environment } from '../../src/base/environment.ts';
import { decodeId } from '../../src/base/ids.ts';
import { spendSandboxCard } from '../../src/cards/spend-sandbox-card.ts';
import type { Deps } from '../../src/deps.ts';
import { eraseRecipient } from '../../src/gifts/erase-recipient.ts';
import { redirectGift } from '../../src/gifts/redirect-gift.ts';
import { simulateGift } from '../../src/gifts/simulate-gift.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { importKey } from '../../src/keys/import-key.ts';
import { listKeys } from '../../src/keys/list-keys.ts';
import { revokeKey } from '../../src/keys/revoke-key.ts';
import { activateMember } from '../../src/organizations/activate-member.ts';
import { addMember } from '../../src/organizations/add-member.ts';
import { changeMemberRole } from '../../src/organizations/change-role.ts';
import { createOrganization } from '../../src/organizations/create-organization.ts';
import { deactivateMember } from '../../src/organizations/deactivate-member.ts';
import { reinstateOrganization } from '../../src/organizations/reinstate-organization.ts';
import { setBillingContact } from '../../src/organizations/set-billing-contact.ts';
import { suspendOrganization } from '../../src/organizations/suspend-organization.ts';
import { recordSignInChange } from '../../src/portal/sign-in/record-sign-in-change.ts';
import { resetSignIn } from '../../src/portal/sign-in/reset-sign-in.ts';
import { createSandbox } from '../../src/sandbox/create-sandbox.ts';
import { deleteSandbox } from '../../src/sandbox/delete-sandbox.ts';
import { resetSandbox } from '../../src/sandbox/reset-sandbox.ts';
import { emailGift } from './api-client.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

/** An act and its event in the audit log. */
export interface AuditedAct {
  /** Prepares the act; its id is passed to the act. */
  prepare?(deps: Deps, organization: TestOrganization): Promise<string | undefined>;
  act(deps: Deps, organization: TestOrganization, actor: Actor, prepared: string): Promise<unknown>;
  /** The changed id: `prepared`, the organization's, a prefix, or undefined. */
  target: 'prepared' | 'organization' | `${string}_` | null;
  environment: Environment | null;
  sentence: string;
  /** True if repeating the act is another change. */
  isRepeatable?: boolean;
  /** True if no command does it. */
  isOnlyByMembers?: boolean;
}

async function addColleague(deps: Deps, { organizationId }: TestOrganization, role: 'admin' | 'member') {
  const added = await addMember(deps, { organizationId, email: 'bob@example.com', role, actor: OPERATOR });
  return added.member_id;
}

async function orderGift({ sandbox }: TestOrganization, localPart: string): Promise<string> {
  return (await sandbox.order([emailGift(localPart)])).body.gifts[0].gift_id;
}

const giftUuid = (id: string) => decodeId('gift', id) ?? '';
/** A legacy key is unique in the installation. */
const legacyKeys = new Map<string, string>();
const legacyKeyOf = (organizationId: string) => {
  const key = legacyKeys.get(organizationId) ?? `sk_${randomUUID()}`;
  legacyKeys.set(organizationId, key);
  return key;
};

export const auditedActs: { [Name in Action]: AuditedAct } = {
  'organization.suspended': {
    act: (deps, { organizationId }, actor) => suspendOrganization(deps, { organizationId, actor }),
    target: null,
    environment: null,
    sentence: 'Suspended the organization',
  },
  'organization.reinstated': {
    async prepare(deps, { organizationId }) {
      await suspendOrganization(deps, { organizationId, actor: OPERATOR });
      return undefined;
    },
    act: (deps, { organizationId }, actor) => reinstateOrganization(deps, { organizationId, actor }),
    target: null,
    environment: null,
    sentence: 'Ended the organization’s suspension',
  },
  'billing_contact.set': {
    prepare: (deps, organization) => addColleague(deps, organization, 'member'),
    act: (deps, { organizationId }, actor, memberId) => setBillingContact(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Made bob@example.com the billing contact',
  },
  'member.added': {
    act: (deps, { organizationId }, actor) =>
      addMember(deps, { organizationId, email: 'bob@example.com', role: 'admin', actor }),
    target: 'mem_',
    environment: null,
    sentence: 'Added bob@example.com as an admin',
  },
  'member.deactivated': {
    prepare: (deps, organization) => addColleague(deps, organization, 'admin'),
    act: (deps, { organizationId }, actor, memberId) =>
      deactivateMember(deps, { organizationId, memberId, actor, keepsAdmin: true }),
    target: 'prepared',
    environment: null,
    sentence: 'Deactivated bob@example.com',
  },
  'member.activated': {
    async prepare(deps, organization) {
      const { organizationId } = organization;
      const memberId = await addColleague(deps, organization, 'member');
      await deactivateMember(deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: true });
      return memberId;
    },
    act: (deps, { organizationId }, actor, memberId) => activateMember(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Activated bob@example.com again',
  },
  'member.role_changed': {
    prepare: (deps, organization) => addColleague(deps, organization, 'member'),
    act: (deps, { organizationId }, actor, memberId) =>
      changeMemberRole(deps, { organizationId, memberId, role: 'admin', actor, keepsAdmin: true }),
    target: 'prepared',
    environment: null,
    sentence: 'Made bob@example.com an admin',
  },
  'member.sign_in_reset': {
    async prepare(deps, organization) {
      const memberId = await addColleague(deps, organization, 'member');
      await deps.database.pool.query(
        `insert into portal.users (name, email, email_verified) values ('', 'bob@example.com', true)`,
      );
      return memberId;
    },
    act: (deps, { organizationId }, actor, memberId) => resetSignIn(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Reset the sign-in of bob@example.com',
  },
  // The sign-in library records this before.
  'member.sign_in_changed': {
    async act(deps, _organization, actor) {
      if (actor.kind === 'member') await recordSignInChange(deps, actor, 'passkey_added');
    },
    target: 'mem_',
    environment: null,
    sentence: 'Added a passkey',
    isRepeatable: true,
    isOnlyByMembers: true,
  },
  'key.created': {
    act: (deps, { organizationId }, actor) =>
      createKey(deps, { organizationId, environment: 'live', name: 'Web shop', actor }),
    target: 'key_',
    environment: 'live',
    sentence: 'Created the key “Web shop”',
    isRepeatable: true,
  },
  'key.imported': {
    act: (deps, { organizationId }, actor) =>
      importKey(deps, {
        organizationId,
        environment: 'sandbox',
        name: 'Old shop',
        key: legacyKeyOf(organizationId),
        actor,
      }),
    target: 'key_',
    environment: 'sandbox',
    sentence: 'Imported the key “Old shop”',
  },
  'key.revoked': {
    prepare: async (deps, { organizationId }) => (await listKeys(deps, organizationId))[0]?.key_id,
    act: (deps, { organizationId }, actor, keyId) => revokeKey(deps, { organizationId, keyId, actor }),
    target: 'prepared',
    environment: 'live',
    sentence: 'Revoked the key “test”',
  },
  'balance.funded': {
    act: (deps, { organizationId }, actor) =>
      addFunds(deps, {
        organizationId,
        environment: 'live',
        amountCents: 500_000,
        reference: 'invoice-17',
        note: undefined,
        actor,
      }),
    target: 'led_',
    environment: 'live',
    sentence: 'Added 5,000.00 USD to the balance (invoice-17)',
  },
  'balance.adjusted': {
    act: (deps, { organizationId }, actor) =>
      adjustBalance(deps, {
        organizationId,
        environment: 'sandbox',
        amountCents: -2_500,
        reference: undefined,
        note: 'Refund of order 12',
        actor,
      }),
    target: 'led_',
    environment: 'sandbox',
    sentence: 'Corrected the balance by -25.00 USD: Refund of order 12',
    isRepeatable: true,
  },
  'balance_alert.set': {
    act: (deps, { organizationId }, actor) =>
      setBalanceAlert(deps, { organizationId, environment: 'live', thresholdCents: 10_000, actor }),
    target: null,
    environment: 'live',
    sentence: 'Set the low-balance alert to 100.00 USD',
  },
  'sandbox.created': {
    async prepare(deps, { organizationId }) {
      await deleteSandbox(deps, { organizationId, actor: OPERATOR });
      return undefined;
    },
    act: (deps, { organizationId }, actor) => createSandbox(deps, { organizationId, actor }),
    target: null,
    environment: null,
    sentence: 'Created the sandbox',
  },
  'sandbox.deleted': {
    prepare: (_deps, organization) => orderGift(organization, 'delivered'),
    act: (deps, { organizationId }, actor) => deleteSandbox(deps, { organizationId, actor }),
    target: null,
    environment: null,
    sentence: 'Deleted the sandbox with 1 order and 1 gift',
  },
  'sandbox.reset': {
    async prepare(_deps, organization) {
      await orderGift(organization, 'delivered');
      return await orderGift(organization, 'delivered');
    },
    act: (deps, { organizationUuid }, actor) => resetSandbox(deps, { organizationId: organizationUuid, actor }),
    target: null,
    environment: 'sandbox',
    sentence: 'Reset the sandbox: 2 orders and 2 gifts deleted',
  },
  'gift.redirected': {
    prepare: (_deps, organization) => orderGift(organization, 'bounced'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      redirectGift(
        deps,
        { organizationId: organizationUuid, environment: 'sandbox' },
        { giftId: giftUuid(giftId), body: { method: 'email', email: 'grace@hopper.example' }, actor },
      ),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Sent a gift to g•••@h•••.example',
  },
  'gift.simulated': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      simulateGift(deps, {
        organizationId: organizationUuid,
        giftId: giftUuid(giftId),
        simulation: 'open',
        actor,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Simulated that a gift was opened',
  },
  'card.spent': {
    prepare: (_deps, organization) => orderGift(organization, 'claimed'),
    act: (deps, _organization, actor, giftId) => spendSandboxCard(deps, { giftId, amountCents: 500, actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Made a test purchase of 5.00 USD with a gift’s card',
    isRepeatable: true,
  },
  'recipient.erased': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationId }, actor) =>
      eraseRecipient(deps, {
        organizationId,
        recipient: { method: 'email', email: 'Someone@sandbox.gift.test' },
        actor,
      }),
    target: null,
    environment: null,
    sentence: 'Erased a recipient’s name and address from 1 gift',
  },
  // Last, because it needs a new organization.
  'organization.created': {
    act: (deps, _organization, actor) => createOrganization(deps, { name: 'Acme', adminEmail: 'ann@acme.test', actor }),
    target: 'organization',
    environment: null,
    sentence: 'Created the organization “Acme” with ann@acme.test as its admin',
    isRepeatable: true,
  },
};
