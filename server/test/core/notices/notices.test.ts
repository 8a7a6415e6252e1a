import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { queueNotices } from '../../../src/core/notices/queue-notices.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { inOrganization } from '../../../src/platform/database/in-organization.ts';
import { createCipher } from '../../../src/platform/encryption/cipher.ts';
import { type MailServer, startMailServer, workOn, workUntil } from '../../harness/mail-server.ts';
import { areSettled, codeNotice, keyDetails, noticesOf, queue, startNoticeService } from '../../harness/notices.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Mails to members, sent to a real SMTP server.

let mail: MailServer;
let service: TestService;
let organization: TestOrganization;
before(async () => {
  mail = await startMailServer();
  service = await startNoticeService(mail);
});
beforeEach(async () => {
  organization = await service.organization();
  mail.received.length = 0;
  mail.tried.length = 0;
  mail.answer(() => 'accept');
});
after(async () => {
  await service.close();
  await mail.close();
});

const keyCreated: Notice = { kind: 'key_created', details: keyDetails };
const settled = () => areSettled(service, organization);

test('a rolled-back transaction and an empty list of recipients send nothing', async () => {
  const { deps } = service.service;
  const notice = { kind: 'key_created', details: keyDetails } as const;
  const organizationId = organization.organizationUuid;
  await assert.rejects(
    inOrganization(deps.database, organizationId, async (client) => {
      await queueNotices(client, deps, { organizationId, recipients: ['ada@example.com'], notice });
      throw new Error('Roll back.');
    }),
  );
  await queue(service, organization, notice);
  await workOn(service, 5);
  assert.deepEqual([mail.tried, await noticesOf(service, organization)], [[], []]);
});

test('a refused address fails its own notice only', async () => {
  mail.answer((to) =>
    to.startsWith('unknown') ? { code: 550, text: '5.1.1 <unknown@example.com>: no such user' } : 'accept',
  );
  await queue(service, organization, keyCreated, 'unknown@example.com', 'good@example.com');
  await workUntil(service, settled, 'settled');
  await workOn(service, 5);
  assert.deepEqual(mail.tried.sort(), ['good@example.com', 'unknown@example.com']);
  const rows = await noticesOf(service, organization);
  assert.deepEqual(
    rows.map(({ recipient, state, tries, reason }) => ({ recipient, state, tries, reason })),
    [
      { recipient: 'unknown@example.com', state: 'failed', tries: 1, reason: '550 5.1.1 the address: no such user' },
      { recipient: 'good@example.com', state: 'sent', tries: 1, reason: null },
    ],
  );
});

test('a temporary failure is retried with the same Message-ID', async () => {
  // The mail is accepted, but its record is lost, as if the worker was killed.
  await queue(service, organization, keyCreated, 'ada@example.com');
  await workUntil(service, settled, 'sent');
  const [row] = await noticesOf(service, organization);
  await service.sql(`update notices set state = 'pending' where notice_id = $1`, [row?.notice_id]);
  await service.sql(
    `insert into pgboss.job (name, data, start_after)
     select 'send-notice', jsonb_build_object('organizationId', organization_id, 'noticeId', notice_id), pgboss.job_now()
     from notices where notice_id = $1`,
    [row?.notice_id],
  );
  let tries = 0;
  mail.answer(() => {
    tries += 1;
    return tries === 1 ? { code: 451, text: '4.7.1 Come back later' } : 'accept';
  });
  await workUntil(service, settled, 'sent again');
  assert.deepEqual([mail.received.length, tries], [2, 2]);
  assert.equal(mail.received[0]?.messageId, mail.received[1]?.messageId);
  const [again] = await noticesOf(service, organization);
  assert.deepEqual([again?.state, again?.tries, again?.reason], ['sent', 3, null]);
});

test('in production a notice waits until a mail server is configured', async (t) => {
  const production = await startTestService({ NODE_ENV: 'production' });
  t.after(() => production.close());
  const customer = await production.organization();
  await queue(production, customer, keyCreated, 'ada@example.com');
  await workOn(production, 5);
  const [waiting] = await noticesOf(production, customer);
  assert.deepEqual([waiting?.state, waiting?.tries], ['pending', 0]);
  await production.second({ SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
  await workUntil(production, async () => (await noticesOf(production, customer))[0]?.state === 'sent', 'sent');
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['ada@example.com']],
  );
});

test('an expired sign-in code is not sent and is deleted a day later', async () => {
  mail.answer(() => ({ code: 451, text: '4.7.1 Come back later' }));
  await queue(service, organization, codeNotice(service, '482913'), 'ada@example.com');
  await queue(service, organization, keyCreated, 'ada@example.com');
  await workUntil(
    service,
    async () => (await noticesOf(service, organization)).every(({ tries }) => tries > 0),
    'tried',
  );
  await service.clock.setTime(service.clock.now() + 11 * 60_000);
  mail.answer(() => 'accept');
  await workUntil(service, settled, 'settled');
  const [code] = await noticesOf(service, organization);
  assert.deepEqual([code?.state, code?.reason], ['failed', 'The code expired before it could be sent.']);
  assert.deepEqual(
    mail.received.map(({ email }) => email.subject),
    ['An API key of Acme was created'],
  );
  await service.clock.setTime(service.clock.now() + 86_400_000);
  await workUntil(service, async () => (await noticesOf(service, organization)).length === 1, 'forgotten');
  assert.equal((await noticesOf(service, organization))[0]?.kind, 'key_created');
});

test('a cipher decrypts what an earlier secret encrypted, and nothing else', () => {
  const earlier = createCipher(['an earlier secret']);
  const now = createCipher(['a new secret', 'an earlier secret']);
  const sealed = earlier.encrypt('482913');
  assert.equal(now.decrypt(sealed), '482913');
  assert.equal(earlier.decrypt(now.encrypt('482913')), undefined);
  assert.notEqual(sealed, earlier.encrypt('482913'));
  const bytes = Buffer.from(sealed, 'base64url');
  for (let n = 0; n < bytes.length; n += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(n) ^ 1, n);
    assert.equal(now.decrypt(altered.toString('base64url')), undefined, `byte ${n}`);
  }
  for (const text of ['', 'x', '482913', sealed.slice(0, -4)]) assert.equal(now.decrypt(text), undefined);
});

test('key changes are mailed to active admins, invitations to new members', async () => {
  const { second, member } = await organization.addMembers();
  await organization.deactivate(second);
  await workUntil(service, settled, 'invited');
  assert.ok(member);
  const subjects = () => mail.received.map(({ to, email }) => `${to.join()}: ${email.subject}`).sort();
  assert.deepEqual(subjects(), [
    'admin@example.com: A new admin was added: Test Organization',
    'member@example.com: You are a member of Test Organization on Bestow',
    'second@example.com: A new admin was added: Test Organization',
    'second@example.com: You are an admin of Test Organization on Bestow',
  ]);
  const { deps } = service.service;
  const { organizationId } = organization;
  await addMember(deps, { organizationId, email: 'third@example.com', role: 'admin', actor: OPERATOR });
  mail.received.length = 0;
  const change = { organizationId, actor: OPERATOR };
  const { key_id: keyId } = await createKey(deps, { ...change, environment: 'live', name: 'Shop' });
  await revokeKey(deps, { ...change, keyId });
  await workUntil(service, settled, 'sent');
  assert.deepEqual(subjects(), [
    'admin@example.com: A new admin was added: Test Organization',
    'admin@example.com: An API key of Test Organization was created',
    'admin@example.com: An API key of Test Organization was revoked',
    'third@example.com: A new admin was added: Test Organization',
    'third@example.com: An API key of Test Organization was created',
    'third@example.com: An API key of Test Organization was revoked',
    'third@example.com: You are an admin of Test Organization on Bestow',
  ]);
});
