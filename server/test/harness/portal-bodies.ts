import { BRAND } from './audited-brand-acts.ts';

const LIMITS = { order: 5_000, recipient: null, hour: null, day: 10_000, life: null };
const GRANT = {
  ...{ name: 'Assistant', permissions: ['order'], reach: 'own', recipient_domains: null, members_only: false },
  ...{ categories: null, limits: LIMITS },
};
const WEBHOOK = { url: 'https://shop.example/', description: null, types: null, ordered: false };

/** Valid bodies, so that only the id can be refused. */
export const bodies: Record<string, unknown> = {
  setName: { name: 'Ada' },
  setBalanceAlert: { threshold: 1 },
  addTestFunds: { amount: 1 },
  createKey: { name: 'one' },
  rollKey: { overlap_hours: 1 },
  createGrant: GRANT,
  agreeToConnection: GRANT,
  setGrantLimits: LIMITS,
  replaceGrantToken: { overlap_hours: 1 },
  setSpendingCaps: { key_id: null, hour: null, day: 1 },
  startTopup: { amount: 1_000 },
  setAutomaticTopup: { rule: null },
  redirectGift: { method: 'email', email: 'ada@example.com' },
  sendGifts: {
    form_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11',
    gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' }, personalization: { message: 'Hello' } }],
  },
  previewGift: { method: 'email', amount: 2500, category: 'coffee', message: 'Hello' },
  checkRows: { first_row: 1, rows: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] },
  createBatch: { form_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11', name: 'people.csv', rows: 1 },
  storeRows: { first_row: 1, rows: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] },
  startBatch: { amount: 2500, accepts_duplicates: false },
  cancelBatch: {},
  setGiftRequestPolicy: { is_allowed: true },
  requestGift: {
    form_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11',
    gift: { amount: 2500, category: 'coffee', delivery: { method: 'link' }, personalization: { message: 'Hello' } },
  },
  declineGiftRequest: {},
  saveGiftView: { name: 'Failed', search: { status: 'failed' } },
  renameGiftView: { name: 'Failed', new_name: 'To do' },
  removeGiftView: { name: 'To do' },
  resendGift: { press_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11' },
  scheduleGift: { send_at: '2026-12-24T09:00:00Z' },
  simulateGift: { simulation: 'open' },
  uploadCodes: { category: 'coffee', csv: 'value,code,shop\n25.00,A,Shop' },
  inviteMember: { email: 'new@example.com', role: 'member' },
  changeMemberRole: { role: 'member' },
  renameOrganization: { name: 'Acme Gifts' },
  setSecondFactorPolicy: { is_required: false },
  setBrand: BRAND,
  previewBrand: BRAND,
  addSenderDomain: { address: 'gifts@acme.example' },
  setLogo: { file: null },
  setProgram: { program: 'award', unclaimed_after_days: null, reminder_days: [], messages_show_value: false },
  cancelGift: {},
  addWebhook: WEBHOOK,
  changeWebhook: WEBHOOK,
  rotateWebhook: {},
  resendWebhookDeliveries: {},
  cancelOrder: {},
  reconcile: { csv: 'reference,amount\nours,1', month: '2026-11', kind: 'order' },
};
