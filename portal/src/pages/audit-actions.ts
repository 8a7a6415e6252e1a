import type { operations } from '../api/schema.d.ts';

type Query = NonNullable<operations['listAuditEvents']['parameters']['query']>;
type Action = NonNullable<Query['action']>;

const labels: Record<Action, string> = {
  'organization.created': 'Organization created',
  'organization.suspended': 'Organization suspended',
  'organization.reinstated': 'Organization reinstated',
  'billing_contact.set': 'Billing contact changed',
  'member.added': 'Member invited',
  'member.deactivated': 'Member deactivated',
  'member.activated': 'Member reactivated',
  'member.role_changed': 'Role changed',
  'member.sign_in_reset': 'Sign-in reset',
  'member.sign_in_changed': 'Sign-in changed',
  'key.created': 'Key created',
  'key.imported': 'Key imported',
  'key.revoked': 'Key revoked',
  'balance.funded': 'Balance funded',
  'balance.adjusted': 'Balance corrected',
  'balance_alert.set': 'Low-balance alert changed',
  'sandbox.created': 'Sandbox created',
  'sandbox.deleted': 'Sandbox deleted',
  'sandbox.reset': 'Sandbox reset',
  'gift.redirected': 'Gift sent to another address',
  'gift.simulated': 'Gift simulated',
  'card.spent': 'Test purchase made',
  'recipient.erased': 'Recipient erased',
};

/** Options of a select. */
export const actionOptions = [
  { value: '', label: 'Any action' },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

/** Whether a text from the URL is a known action. */
export const isAction = (text: string | undefined): text is Action => text !== undefined && Object.hasOwn(labels, text);
