import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRole, builtInRoles, type RoleId } from '../../../src/platform/authentication/roles.ts';
import { emailGift } from '../../harness/api-client.ts';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Every route of an organization by every role. What each may call is written down here, and not read from the source. */

const EVERYONE = `listMembers showProgram showBrand previewBrand showBrandPreview showSenderDomain listIssuers
  listRoles listTeams listLimits listApprovalRules`;
const GIFTS = `listGifts totalGifts showGift searchOrders showOrder totalOrders exportOrders exportGifts
  listBatches showBatch listBatchRows listGiftViews saveGiftView renameGiftView removeGiftView listGiftRequests
  showGiftRequest`;
const PEOPLE = 'showGiftMessage showGiftLetter exportBatchRows';
const MONEY = `showOverview showBalance listEntries exportEntries listStatementMonths showStatement exportStatement printStatement
  listTopups listCards reconcile listSpendingCaps listApprovals`;
const ACTIVITY = 'listAuditEvents';
const INTEGRATIONS = 'listKeys listGrants listWebhooks listWebhookDeliveries listRequests showRequest listLatestEvents';
const PREVIEW = 'previewGift showGiftPreview';
const WRITE = `${PREVIEW} requestGift withdrawGiftRequest listContacts listContactTags suggestContacts
  showContact listGiftsOfContact listYearlyGiftsOfContact listGiftTemplates showCalendar listYearlyRules`;
const ORDER =
  'skipYearlyGift requestOrder requestBatch sendGifts checkRows createBatch storeRows startBatch resumeBatch';
const LINKS = 'showGiftLink replaceGiftLink exportBatchLinks';
const MANAGE = 'listResends resendGift redirectGift scheduleGift reopenCard holdGift releaseGift';
const APPROVE = 'countOpenGiftRequests approveGiftRequest declineGiftRequest';
const PAY = `startTopup payTopup showBankAccount addCard removeCard setAutomaticTopup setBalanceAlert approveChange
  declineChange`;

const allowed: Record<Exclude<BuiltInRole, 'admin'>, string> = {
  member: [EVERYONE, GIFTS, PEOPLE, MONEY, ACTIVITY, INTEGRATIONS].join(' '),
  sender: [EVERYONE, GIFTS, PEOPLE, WRITE, ORDER, LINKS].join(' '),
  approver: [EVERYONE, GIFTS, PEOPLE, MONEY, PREVIEW, APPROVE].join(' '),
  support: [EVERYONE, GIFTS, PEOPLE, MANAGE].join(' '),
  finance: [EVERYONE, GIFTS, MONEY, ACTIVITY, PAY].join(' '),
  viewer: [EVERYONE, GIFTS, MONEY, ACTIVITY].join(' '),
};

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());

const memberWith = (role: RoleId, email?: string) => memberWithRole(service, organization, role, email);

const routes = () => service.service.app.portalRoutes.filter(({ path }) => path.startsWith('/organizations/'));
const pathOf = (path: string) =>
  path
    .replace('{organization_id}', organization.organizationId)
    .replace('{environment}', 'sandbox')
    .replace(/\{\w+\}/g, 'x');

for (const role of builtInRoles.filter((one) => one !== 'admin'))
  test(`the role ${role} may call what is written here, and nothing else`, async () => {
    const client = await memberWith(role);
    const names = new Set(allowed[role].split(/\s+/));
    const missing = [...names].filter((name) => !routes().some(({ operationId }) => operationId === name));
    assert.deepEqual(missing, []);
    for (const { method, path, operationId } of routes()) {
      const { status, body } = await client.call(method, pathOf(path), {});
      const where = `${operationId}: ${status} ${JSON.stringify(body)}`;
      if (names.has(operationId)) assert.notEqual(body.error?.code, 'admin_required', where);
      else assert.deepEqual([status, body.error?.code], [403, 'admin_required'], where);
    }
  });

test('roles without people see masked addresses and no names or words, in lists, on pages and in files', async () => {
  const gift = { ...emailGift('ada'), personalization: { recipient_name: 'Ada L.', message: 'For you, Ada.' } };
  const { body: order } = await organization.sandbox.order([gift]);
  const [{ gift_id: giftId }] = order.gifts;
  const at = `/organizations/${organization.organizationId}/sandbox`;
  for (const role of ['finance', 'viewer'] as const) {
    const client = await createPortalClient(service, `${role}@example.com`);
    const answers = await Promise.all(
      [
        `${at}/gifts`,
        `${at}/gifts/${giftId}`,
        `${at}/overview`,
        `${at}/orders/${order.order_id}`,
        `${at}/gifts.csv`,
      ].map((path) => client.call('GET', path)),
    );
    for (const { status, body } of answers) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      assert.equal(status, 200, text);
      assert.doesNotMatch(text, /ada@|Ada L\.|For you/, `${role}: ${text}`);
    }
    const [list, page] = answers;
    assert.equal(list?.body.data[0].address, 'a•••@s•••.gift.test'.replace('.gift', ''), JSON.stringify(list?.body));
    assert.equal(page?.body.gift.message, null);
    const guess = await client.call('GET', `${at}/gifts?query=ada`);
    assert.deepEqual([guess.status, guess.body.error.param], [422, 'query']);
    assert.equal((await client.call('GET', `${at}/gifts?query=${giftId}`)).body.data.length, 1);
  }
  const contact = { delivery: { method: 'email', email: 'ada@example.com' }, name: 'Ada L.', birthday: '1985-03-14' };
  const admin = await createPortalClient(service, 'admin@example.com');
  assert.equal((await admin.call('POST', `${at}/contacts`, contact)).status, 200);
  const named = { name: 'Sends without names', permissions: ['gifts', 'order', 'settings'] };
  const { body: own } = await admin.call('POST', `/organizations/${organization.organizationId}/roles`, named);
  const blind = await memberWith(own.role_id, 'blind@example.com');
  assert.doesNotMatch(JSON.stringify((await blind.call('GET', `${at}/contacts`)).body), /ada@|Ada L|1985/);
  for (const path of [`${at}/contacts?query=ada`, `${at}/contacts.csv`])
    assert.equal((await blind.call('GET', path)).body.error.code, 'admin_required', path);
  const support = await createPortalClient(service, 'support@example.com');
  assert.equal((await support.call('GET', `${at}/gifts?query=ada`)).body.data[0].address, 'ada@sandbox.gift.test');
});

test('reasons that people wrote are hidden from roles without people, also in files and the audit log', async () => {
  const at = `/organizations/${organization.organizationId}/sandbox`;
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body: order } = await organization.sandbox.order([emailGift('ada'), emailGift('bo')]);
  const giftId = order.gifts[0].gift_id;
  const reason = 'Ada L. has left';
  await allowRequests(admin, organization);
  const asked = await ask(admin, requestsPath(organization), giftTo('ada@sandbox.gift.test'));
  for (const path of [
    `${at}/gifts/${giftId}/cancel`,
    `${at}/orders/${order.order_id}/cancel`,
    `${requestsPath(organization)}/${asked}/decline`,
  ]) {
    const { status, body } = await admin.call('POST', path, { reason });
    assert.ok(status < 300, `${path}: ${JSON.stringify(body)}`);
  }
  const pages = [
    `${at}/gifts`,
    `${at}/gifts.csv`,
    `${at}/gifts/${giftId}`,
    `${at}/orders/${order.order_id}`,
    `${at}/audit-events`,
  ];
  const decides = { name: 'Decides without names', permissions: ['gifts', 'approve'] };
  const { body: own } = await admin.call('POST', `/organizations/${organization.organizationId}/roles`, decides);
  const decider = await memberWithRole(service, organization, own.role_id, 'decider@example.com');
  for (const [client, shown] of [
    [admin, reason],
    [decider, null],
  ] as const)
    assert.equal((await client.call('GET', `${requestsPath(organization)}/${asked}`)).body.reason, shown);

  for (const [email, isShown] of [
    ['admin@example.com', true],
    ['viewer@example.com', false],
    ['finance@example.com', false],
  ] as const) {
    const client = await createPortalClient(service, email);
    for (const page of pages) {
      const { status, body } = await client.call('GET', page);
      assert.equal(status, 200, page);
      assert.equal(JSON.stringify(body).includes('Ada L.'), isShown, `${email} ${page}: ${JSON.stringify(body)}`);
    }
    const { body } = await client.call('GET', `${at}/audit-events?action=gift.canceled`);
    const sentence = 'Canceled a gift: 25.00 USD returned to the balance';
    assert.equal(body.data[0].sentence, isShown ? `${sentence} (${reason})` : sentence);
  }
});

test('an own role is a named set, counts from the next request on, and never decides about members', async () => {
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organization.organizationId}/roles`;
  const created = await admin.call('POST', path, { name: 'Front desk', permissions: ['gifts', 'manage'] });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const role = created.body.role_id;
  const again = await admin.call('POST', path, { name: 'front desk', permissions: ['gifts'] });
  assert.match(again.body.error.message, /A role is called “front desk” already\./);
  const power = await admin.call('POST', path, { name: 'Power', permissions: ['members'] });
  assert.equal(power.status, 422);

  const desk = await memberWith(role, 'desk@example.com');
  const { body: me } = await desk.call('GET', '/me');
  assert.deepEqual([me.memberships[0].role_name, me.memberships[0].permissions], ['Front desk', ['gifts', 'manage']]);
  const at = `/organizations/${organization.organizationId}/sandbox`;
  assert.equal((await desk.call('GET', `${at}/gifts/resends`)).status, 200);
  assert.equal((await desk.call('POST', `${at}/orders`, {})).body.error.code, 'admin_required');
  assert.equal((await admin.call('DELETE', `${path}/${role}`)).status, 422, 'a member has it');

  const changed = await admin.call('PUT', `${path}/${role}`, { name: 'Desk', permissions: ['gifts', 'order'] });
  assert.equal(changed.status, 204);
  assert.equal((await desk.call('GET', `${at}/gifts/resends`)).body.error.code, 'admin_required');
  const { body: gift } = await desk.call('POST', `${at}/orders`, {
    form_id: crypto.randomUUID(),
    gifts: [{ amount: 1_000, category: 'coffee', delivery: { method: 'link' } }],
  });
  assert.match(gift.order_id ?? JSON.stringify(gift), /^ord_/);
  const demoted = await admin.call('PUT', `${path}/${role}`, { name: 'Desk', permissions: ['gifts'] });
  assert.equal(demoted.status, 204);
});
