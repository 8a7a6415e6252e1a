import { deleteSandbox } from '../../src/capabilities/erasure/delete-sandbox.ts';
import { eraseRecipient } from '../../src/capabilities/erasure/erase-recipient.ts';
import { resetSandbox } from '../../src/capabilities/erasure/reset-sandbox.ts';
import { exportRecipient } from '../../src/capabilities/reports/export-recipient.ts';
import { finishRestore } from '../../src/capabilities/restores/finish-restore.ts';
import { setAutomaticTopup } from '../../src/capabilities/topups/automatic-topup.ts';
import { setRule } from '../../src/capabilities/topups/rule-queries.ts';
import type { NewEntry } from '../../src/core/balances/append-entry.ts';
import { declineChange, requestApproval } from '../../src/core/balances/approvals.ts';
import { addFunds, changeOrRepeat } from '../../src/core/balances/change-balance.ts';
import { setBalanceAlert } from '../../src/core/balances/set-balance-alert.ts';
import { setCaps } from '../../src/core/caps/set-caps.ts';
import { spendSandboxCard } from '../../src/core/cards/spend-sandbox-card.ts';
import { recordExport } from '../../src/core/gifts/find/record-export.ts';
import { simulateGift } from '../../src/core/gifts/sandbox/simulate-gift.ts';
import { redirectGift } from '../../src/core/gifts/send/redirect-gift.ts';
import { revealGiftLink } from '../../src/core/gifts/send/reveal-gift-link.ts';
import { createOrganization } from '../../src/core/organizations/create-organization.ts';
import { reinstateOrganization } from '../../src/core/organizations/reinstate-organization.ts';
import { renameOrganization } from '../../src/core/organizations/rename-organization.ts';
import { suspendOrganization } from '../../src/core/organizations/suspend-organization.ts';
import { createSandbox } from '../../src/core/sandbox/create-sandbox.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import { emailGift, linkGift } from './api-client.ts';
import { auditedBatchActs } from './audited-batch-acts.ts';
import { auditedBrandActs } from './audited-brand-acts.ts';
import { auditedContactActs } from './audited-contact-acts.ts';
import { auditedHoldActs } from './audited-gift-acts.ts';
import { auditedGrantActs } from './audited-grant-acts.ts';
import { auditedIssuerActs } from './audited-issuer-acts.ts';
import { auditedKeyActs } from './audited-key-acts.ts';
import { type AuditedAct, auditedMemberActs, ofOrganization } from './audited-member-acts.ts';
import { auditedRequestActs } from './audited-request-acts.ts';
import { auditedTeamActs } from './audited-team-acts.ts';
import { auditedTemplateActs } from './audited-template-acts.ts';
import { auditedWebhookActs } from './audited-webhook-acts.ts';
import { auditedYearlyActs } from './audited-yearly-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

async function orderGift({ sandbox }: TestOrganization, localPart: string): Promise<string> {
  return (await sandbox.order([emailGift(localPart)])).body.gifts[0].gift_id;
}

const giftUuid = (id: string) => decodeId('gift', id) ?? '';
const sandboxOf = (organizationId: string) => admitted({ organizationId, environment: 'sandbox' });

const funding = (organizationId: string, actor: Actor): NewEntry => ({
  organizationId,
  environment: 'live',
  kind: 'funding',
  amountCents: 500_000,
  reference: 'invoice-18',
  note: undefined,
  actor,
});

export const auditedActs: { [Name in Action]: AuditedAct } = {
  'organization.renamed': {
    act: (deps, { organizationId }, actor) => renameOrganization(deps, { organizationId, name: 'Acme Gifts', actor }),
    ...ofOrganization,
    sentence: 'Renamed the organization from “Test Organization” to “Acme Gifts”',
  },
  'organization.suspended': {
    act: (deps, { organizationId }, actor) => suspendOrganization(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Suspended the organization',
  },
  'database.restored': {
    act: (deps, _organization, actor) => finishRestore(deps, new Date('2026-11-20T00:00:00Z'), actor),
    ...ofOrganization,
    sentence: 'Restored the database to 2026-11-20T00:00:00.000Z and set 0 codes aside',
    only: 'operator',
  },
  'organization.reinstated': {
    async prepare(deps, { organizationId }) {
      await suspendOrganization(deps, { organizationId, actor: OPERATOR });
      return undefined;
    },
    act: (deps, { organizationId }, actor) => reinstateOrganization(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Ended the organization’s suspension',
  },
  ...auditedMemberActs,
  ...auditedHoldActs,
  ...auditedBatchActs,
  ...auditedRequestActs,
  ...auditedTeamActs,
  ...auditedContactActs,
  ...auditedTemplateActs,
  ...auditedYearlyActs,
  ...auditedKeyActs,
  ...auditedGrantActs,
  ...auditedWebhookActs,
  ...auditedIssuerActs,
  ...auditedBrandActs,
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
      changeOrRepeat(deps, {
        organizationId,
        kind: 'adjustment',
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
  'balance.requested': {
    act: (deps, { organizationId }, actor) => requestApproval(deps, funding(organizationId, actor)),
    target: 'apr_',
    environment: 'live',
    sentence: 'Asked to change the balance by 5,000.00 USD (invoice-18)',
  },
  'balance.declined': {
    prepare: async (deps, { organizationId }) =>
      (await requestApproval(deps, funding(organizationId, OPERATOR))).approval_id,
    act: (deps, { organizationId }, actor, approvalId) => declineChange(deps, { organizationId, approvalId, actor }),
    target: 'prepared',
    environment: 'live',
    sentence: 'Declined to change the balance by 5,000.00 USD (invoice-18)',
  },
  'balance_alert.set': {
    act: (deps, { organizationId }, actor) =>
      setBalanceAlert(deps, { organizationId, environment: 'live', thresholdCents: 10_000, actor }),
    target: null,
    environment: 'live',
    sentence: 'Set the low-balance alert to 100.00 USD',
  },
  'automatic_topup.set': {
    async prepare({ database }, { organizationUuid }) {
      await setRule(database.pool, [organizationUuid, 10_000, 'fixed', 50_000, 200_000, 'pm_1', 'visa 4242']);
      return undefined;
    },
    act: (deps, { organizationUuid }, actor) =>
      setAutomaticTopup(deps, { organizationId: organizationUuid, rule: null, actor }),
    target: null,
    environment: 'live',
    sentence: 'Switched automatic top-ups off',
  },
  'spending_cap.set': {
    act: (deps, { organizationId }, actor) =>
      setCaps(deps, { organizationId, environment: 'live', amounts: { hour: 50_000, day: 200_000 }, actor }),
    target: null,
    environment: 'live',
    sentence: 'Capped all orders at 500.00 USD per hour and 2,000.00 USD per day',
  },
  'sandbox.created': {
    async prepare(deps, { organizationId }) {
      await deleteSandbox(deps, { organizationId, actor: OPERATOR });
      return undefined;
    },
    act: (deps, { organizationId }, actor) => createSandbox(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Created the sandbox',
  },
  'sandbox.deleted': {
    prepare: (_deps, organization) => orderGift(organization, 'delivered'),
    act: (deps, { organizationId }, actor) => deleteSandbox(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Deleted the sandbox with 1 order and 1 gift',
  },
  'sandbox.reset': {
    async prepare(_deps, organization) {
      await orderGift(organization, 'delivered');
      return await orderGift(organization, 'delivered');
    },
    act: (deps, { organizationUuid }, actor) => resetSandbox(deps, { caller: sandboxOf(organizationUuid), actor }),
    target: null,
    environment: 'sandbox',
    sentence: 'Reset the sandbox: 2 orders and 2 gifts deleted',
  },
  'gift.redirected': {
    prepare: (_deps, organization) => orderGift(organization, 'bounced'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      redirectGift(deps, sandboxOf(organizationUuid), {
        giftId: giftUuid(giftId),
        body: { method: 'email', email: 'grace@hopper.example' },
        actor,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Sent a gift to g•••@h•••.example',
  },
  'gift.simulated': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      simulateGift(deps, { caller: sandboxOf(organizationUuid), giftId: giftUuid(giftId), simulation: 'open', actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Simulated that a gift was opened',
  },
  'gift.link_shown': {
    prepare: async (_deps, { sandbox }) => (await sandbox.order([linkGift()])).body.gifts[0].gift_id,
    act: (deps, { organizationUuid: organizationId }, actor, giftId) =>
      revealGiftLink(deps, { organizationId, environment: 'sandbox' }, { giftId: giftUuid(giftId), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Looked at the link of a gift',
    isRepeatable: true,
  },
  'gifts.exported': {
    act: (deps, { organizationUuid: organizationId }, actor) =>
      recordExport(deps, { organizationId, environment: 'sandbox' }, actor),
    target: null,
    environment: 'sandbox',
    sentence: 'Exported gifts with their addresses',
    isRepeatable: true,
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
    ...ofOrganization,
    sentence: 'Erased a recipient’s name and address from 1 gift',
  },
  'recipient.exported': {
    prepare: (_deps, organization) => orderGift(organization, 'exported'),
    act: (deps, { organizationId }, actor) =>
      exportRecipient(deps, {
        organizationId,
        recipient: { method: 'email', email: 'Exported@sandbox.gift.test' },
        actor,
      }),
    ...ofOrganization,
    sentence: 'Exported what is held of a recipient, with 1 gift',
    isRepeatable: true,
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
