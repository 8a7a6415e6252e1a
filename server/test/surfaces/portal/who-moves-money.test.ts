import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendYearlyGifts } from '../../../src/capabilities/yearly-gifts/send-yearly-gifts.ts';
import { moneyActs } from '../../../src/platform/authentication/money-acts.ts';
import { type MemberPermission, memberPermissions } from '../../../src/platform/authentication/permissions.ts';
import type { Environment } from '../../../src/platform/base/environment.ts';
import { verifyAll } from '../../harness/ledger.ts';
import {
  approveEverything,
  boughtOn,
  MEANT_CENTS,
  makeGround,
  ON_THE_DAY,
  person,
  rule,
  tryEverything,
} from '../../harness/money-journeys.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { permissionSets } from '../../harness/permission-sets.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The table of docs/roles.md: each act with money, with each permission and each pair, fresh and stale, live and sandbox. */

const ROBIN = 'robin@example.com';
const service = openForFile(() =>
  startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000', APPROVAL_ABOVE_CENTS: '1000' }),
);

/** Changes that neither buy nor move value, and are no wall before one that does. */
const MOVES_NOTHING =
  `setName acceptInvitation declineInvitation endSession setBalanceAlert addTestFunds reconcile revokeKey
  revokeGrant declineConnection addWebhook rotateWebhook changeWebhook removeWebhook disableWebhook enableWebhook
  resendWebhookDelivery resendWebhookDeliveries saveGiftView renameGiftView removeGiftView removeContact addGiftTemplate
  removeGiftTemplate simulateGift holdGift holdGifts setBrand setLogo previewBrand addSenderDomain checkSenderDomain
  removeSenderDomain uploadCodes createSandbox resetSandbox deleteSandbox previewGift checkRows createBatch storeRows
  checkContacts findMissingContacts findUnsentGiftsOfContacts   withdrawGiftRequest declineGiftRequest showBankAccount removeCard renameOrganization setSecondFactorPolicy
  deactivateMember setBillingContact removeRole createTeam renameTeam removeTeam`.split(/\s+/);

/** Signs in as the only `admin@example.com` of all organizations that follow. */
async function signIn(): Promise<{ admin: PortalClient; robin: PortalClient; stale: PortalClient }> {
  const stale = await createPortalClient(service, ROBIN);
  await service.clock.jump(11 * 60_000);
  const admin = await createPortalClient(service, 'admin@example.com');
  return { admin, robin: await createPortalClient(service, ROBIN), stale };
}

/** Before the day of the rules. Every organization has an admin and Robin with these addresses. */
async function openFirst(): Promise<void> {
  await service.clock.setTime(Date.parse('2026-11-21T12:00:00Z'));
  await service.sql('delete from portal.sessions');
  await service.sql('delete from yearly_rules');
  const { organizationUuid } = await service.organization();
  await service.sql(
    `insert into members (organization_id, member_id, email, role, created_at) values ($1, $2, $3, 'viewer', now())`,
    [organizationUuid, service.service.deps.ids.next(), ROBIN],
  );
}

const routes = () => service.service.app.portalRoutes;
const environments: Environment[] = ['live', 'sandbox'];

test('every change of the portal is in the table, or moves nothing', () => {
  const known = [...moneyActs.flatMap(({ operations }) => operations), ...MOVES_NOTHING];
  const changes = routes().filter(({ method }) => method !== 'GET');
  assert.deepEqual(
    changes.map(({ operationId }) => operationId).filter((one) => !known.includes(one)),
    [],
  );
  assert.deepEqual(
    known.filter((one) => !routes().some(({ operationId }) => operationId === one)),
    [],
  );
});

/** Eight at a time, as the service has connections: on a busy machine, more would wait too long for one. */
async function eachOf<One, Result>(all: readonly One[], act: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < all.length; first += 8)
    results.push(...(await Promise.all(all.slice(first, first + 8).map(act))));
  return results;
}

test('each act is admitted with what the table names, and with no other permission or pair', async () => {
  await openFirst();
  const { robin, stale, admin } = await signIn();
  const { organization } = await makeGround(service, admin, ROBIN, ['live', ['gifts']]);
  const attempt = async (client: PortalClient, environment: Environment, operation: string) => {
    const route = routes().find(({ operationId }) => operationId === operation) ?? assert.fail(operation);
    const path = route.path
      .replace('{organization_id}', organization.organizationId)
      .replace('{environment}', environment)
      .replace(/\{\w+\}/g, 'x');
    const { body } = await client.call(route.method, path, {});
    return body.error?.code ?? 'done';
  };
  for (const [n, permissions] of permissionSets().entries()) {
    await service.sql('update custom_roles set permissions = $2 where organization_id = $1', [
      organization.organizationUuid,
      permissions,
    ]);
    // Each operation of an act comes with many pairs, and all come with each permission.
    const isPair = permissions.length > 1;
    const tried = moneyActs.flatMap((act) =>
      (isPair ? [act.operations[n % act.operations.length] ?? ''] : act.operations).map((one) => ({ ...act, one })),
    );
    await eachOf(tried, async ({ one, needs }) => {
      const isNeeded = needs.some((each) => permissions.includes(each));
      for (const environment of isPair ? [environments[n % 2] ?? 'live'] : environments) {
        const code = await attempt(robin, environment, one);
        const where = `${one} with ${permissions} in ${environment}: ${code}`;
        assert.equal(code === 'admin_required', !isNeeded, where);
        assert.notEqual(code, 'sign_in_again', where);
      }
    });
  }
  // What Robin reaches is looked at before the sign-in.
  await service.sql('update custom_roles set permissions = $2 where organization_id = $1', [
    organization.organizationUuid,
    memberPermissions.filter((one) => one !== 'members'),
  ]);
  for (const { operations, needs, freshSignIn } of moneyActs.filter(({ needs: [need] }) => need !== 'members'))
    for (const operation of operations)
      for (const environment of environments) {
        const code = await attempt(stale, environment, operation);
        assert.equal(code === 'sign_in_again', freshSignIn === 'always', `${operation} (${needs}), stale: ${code}`);
      }
});

/** Who needs no other permission to send: senders, and those who make keys. */
const SENDS: MemberPermission[] = ['order', 'integrate'];
const MEANT = `grace@example.com ${MEANT_CENTS} admin`;

test('without sending, no permission and no pair buys anything, now or by a rule', async () => {
  await openFirst();
  const { admin, robin } = await signIn();
  const sets = permissionSets(SENDS);
  const wanted: (readonly [Environment, MemberPermission[]])[] = [];
  const order: MemberPermission[][] = [['order', 'settings'], ['order'], ['order', 'approve']];
  for (const [n, permissions] of [...sets, ...order].entries())
    for (const environment of permissions.length === 1 ? environments : [environments[n % 2] ?? 'live'])
      wanted.push([environment, permissions]);
  const grounds = await eachOf(wanted, (one) => makeGround(service, admin, ROBIN, one));
  await eachOf(grounds, (ground) => tryEverything(robin, ground));
  await service.clock.setTime(ON_THE_DAY - 6 * 86_400_000);
  await sendYearlyGifts(service.service.deps);
  const later = await createPortalClient(service, ROBIN);
  await eachOf(grounds, (ground) => approveEverything(service, later, ground));
  await service.clock.setTime(ON_THE_DAY);
  for (let n = 0; n < 3; n += 1) await sendYearlyGifts(service.service.deps);

  for (const ground of grounds) {
    const { permissions, environment } = ground;
    const bought = await boughtOn(service, ground);
    const where = `${permissions} in ${environment}`;
    if (permissions.includes('order')) {
      // The tries are real: with sending they buy.
      assert.ok(bought.includes('robin.order@example.com 50000 robin'), where);
      const isSet = permissions.includes('settings');
      assert.equal(bought.includes('robin.sent@example.com 50000 admin'), isSet, `${where}: ${bought}`);
      assert.equal(bought.includes('robin.asked@example.com 50000 robin'), permissions.includes('approve'), where);
      continue;
    }
    // What a rule of an admin asked for is decided by those who do not change what it sends.
    const decides = permissions.includes('approve') && !permissions.includes('settings');
    assert.deepEqual(bought, decides ? [MEANT, `henry@example.com ${MEANT_CENTS} admin`] : [MEANT], where);
  }
  await verifyAll(service);
});

test('while a rule sends by itself, contacts need a fresh sign-in if whom or where it sends changes', async () => {
  await openFirst();
  const { admin, robin, stale } = await signIn();
  const { at, made, organization } = await makeGround(service, admin, ROBIN, ['live', ['settings', 'order']]);
  const call = async (client: PortalClient, method: string, path: string, body: object) =>
    (await client.call(method, `${at}${path}`, body)).body?.error?.code ?? 'done';
  const grace = person('grace', 'sent');
  const changes = [
    ['POST', '/contacts', person('new', 'any')],
    ['POST', '/contacts/import', { rows: [person('imported', 'sent')] }],
    ['PUT', `/contacts/${made.meant}`, { ...grace, delivery: { method: 'email', email: 'other@example.com' } }],
    ['PUT', `/contacts/${made.meant}`, { ...grace, tags: [] }],
    ['PUT', `/contacts/${made.meant}`, { ...grace, birthday: '12-01' }],
  ] as const;
  for (const [method, path, body] of changes) {
    assert.equal(await call(stale, method, path, body), 'sign_in_again', `${method} ${path}`);
    assert.equal(await call(robin, method, path, body), 'done', `${method} ${path}`);
  }
  const renamed = { ...grace, birthday: '12-01', name: 'Grace H.' };
  assert.equal(await call(stale, 'PUT', `/contacts/${made.meant}`, renamed), 'done');
  await service.sql(`update yearly_rules set mode = 'approval' where organization_id = $1`, [
    organization.organizationUuid,
  ]);
  assert.equal(await call(stale, 'POST', '/contacts', person('later', 'any')), 'done');
});

test('without sending, a contact to whom a rule sends keeps address, tags and day; others and names change', async () => {
  await openFirst();
  const { admin, robin } = await signIn();
  const { at, made } = await makeGround(service, admin, ROBIN, ['live', ['settings', 'people']]);
  const change = (contact: string, body: object) => robin.call('PUT', `${at}/contacts/${contact}`, body);
  const grace = person('grace', 'sent');
  for (const refused of [person('other', 'sent'), { ...grace, tags: [] }, { ...grace, birthday: '12-01' }]) {
    const { status, body } = await change(made.meant, refused);
    assert.equal(status, 403);
    assert.match(body.error.message, /sends to this contact by itself\. Your role does not include sending gifts/);
  }
  assert.equal((await change(made.meant, { ...grace, name: 'Grace H.' })).status, 200);
  const missing = { in_file: [], left: [made.meant], among: 'none' };
  const [{ contact_id, changed_at }] = (await robin.call('POST', `${at}/contacts/missing`, missing)).body.data;
  const untag = { act: 'remove_tag', tag: 'sent', contacts: [{ contact_id, changed_at }] };
  assert.deepEqual((await robin.call('POST', `${at}/contacts/missing/settle`, untag)).body, {
    done: 0,
    stayed: [made.meant],
    unsent: { canceled_gifts: 0, refunded: 0, withdrawn_requests: 0, moved: 0 },
  });
  const imported = await robin.call('POST', `${at}/contacts/import`, {
    rows: [person('fine', 'free'), person('not', 'sent')],
  });
  assert.deepEqual([imported.body.added, imported.body.refused.length], [1, 1]);
  const dear = { name: 'Sent', amount: 50_000, category: 'coffee', sender_name: null, message: null, language: null };
  const kept = await robin.call('PUT', `${at}/gift-templates/${made.ofSending}`, dear);
  // To stop a rule needs no more than settings.
  const paused = { ...rule('Sends', 'sent', made.ofSending, 'sends'), is_paused: true };
  assert.equal((await robin.call('PUT', `${at}/yearly-rules/${made.sending}`, paused)).status, 200);
  const resumed = await robin.call('PUT', `${at}/yearly-rules/${made.sending}`, { ...paused, is_paused: false });
  assert.equal(resumed.status, 403);
  assert.match(kept.body.error.message, /^The rule “Sends” sends these gifts by itself\. Your role/);
});

test('an admin’s skip is undone by an admin only, with a fresh sign-in; a sender undoes a sender’s', async () => {
  await openFirst();
  const { admin, robin, stale } = await signIn();
  const { at, made } = await makeGround(service, admin, ROBIN, ['live', ['order']]);
  const skip = async (client: PortalClient, contact_id: string, rule_id: string, is_skipped: boolean) =>
    (await client.call('PUT', `${at}/yearly-gifts/skips`, { rule_id, contact_id, year: 2026, is_skipped })).body?.error
      ?.code ?? 'done';
  assert.equal(await skip(robin, made.skipped, made.skipping, false), 'admin_required');
  assert.equal(await skip(robin, made.meant, made.sending, true), 'done');
  assert.equal(await skip(stale, made.meant, made.sending, false), 'sign_in_again');
  assert.equal(await skip(robin, made.meant, made.sending, false), 'done');
  assert.equal(await skip(robin, made.meant, made.sending, true), 'done');
  // Once an admin has skipped it too, it is the admin’s.
  assert.equal(await skip(admin, made.meant, made.sending, true), 'done');
  assert.equal(await skip(robin, made.meant, made.sending, false), 'admin_required');
  assert.equal(await skip(admin, made.meant, made.sending, false), 'done');
  assert.equal(await skip(admin, made.skipped, made.skipping, false), 'done');
});
