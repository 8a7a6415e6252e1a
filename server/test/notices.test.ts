import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inTransaction } from '../src/database/connections.ts';
import { createKey } from '../src/keys/create-key.ts';
import { revokeKey } from '../src/keys/revoke-key.ts';
import type { Notice, NoticeKind } from '../src/notices/notice.ts';
import { queueNotices } from '../src/notices/queue-notices.ts';
import { createSeal } from '../src/notices/seal.ts';
import { addMember } from '../src/organizations/add-member.ts';
import { type MailServer, type ReceivedMail, startMailServer, workOn, workUntil } from './harness/mail-server.ts';
import { codeNotice, noticesOf, queue, referenceOf } from './harness/notices.ts';
import { OPERATOR } from './harness/operator.ts';
import { startTestService, type TestOrganization, type TestService } from './harness/test-service.ts';

// Issue 4: mails to an organization's people, against a real SMTP server. Messages are parsed as a mail program does.

let mail: MailServer;
let service: TestService;
let organization: TestOrganization;
before(async () => {
  mail = await startMailServer();
  service = await startTestService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
    PUBLIC_URL: 'https://gifts.example.com',
  });
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

const settled = async () => (await noticesOf(service, organization)).every(({ state }) => state !== 'pending');

async function send(notice: Notice, to = 'Ada.L+x@Acme.EXAMPLE'): Promise<ReceivedMail> {
  await queue(service, organization, notice, to);
  await workUntil(service, settled, 'settled');
  const [received] = mail.received.splice(0);
  assert.ok(received);
  return received;
}

const key = {
  organization_name: 'Acme',
  key_name: 'Web shop',
  key_hint: 'bestow-live-…a1b2',
  environment: 'live',
  by: 'grace@acme.example',
  from: '203.0.113.9',
  at: '2026-11-21T12:00:00.000Z',
} as const;

/** What is set behind the marks of an address so that no program makes a link of it. */
const visible = (text: string) => text.replaceAll('\u2060', '');

const letters: Record<NoticeKind, { notice: () => Notice; subject: string; text: string }> = {
  sign_in_code: {
    notice: () => codeNotice(service, '482913'),
    subject: 'Your sign-in code for Bestow',
    text: `Your sign-in code

Enter it where you asked for it. It works once, within 10 minutes.

482913

Keep it to yourself

Whoever has this code can sign in as you. Bestow never asks for it.

If you did not ask for a code, you need do nothing: without it nobody gets in.

You get this mail because somebody asked to sign in to Bestow with your address.
`,
  },
  member_invited: {
    notice: () => ({
      kind: 'member_invited',
      details: { organization_name: 'Acme', role: 'member', by: 'grace@acme.example' },
    }),
    subject: 'You are a member of Acme on Bestow',
    text: `Welcome to Acme

You are now a member of Acme on Bestow. In the portal you see its gifts, its money and its keys; its admins may change them.

Open the portal:
https://gifts.example.com/portal

How to sign in

Enter this email address. You get a code by mail, and there is no password.

If you did not expect this, you need do nothing: nothing happens until you sign in.

You get this mail because grace@acme.example added your address to Acme.
`,
  },
  key_created: {
    notice: () => ({ kind: 'key_created', details: key }),
    subject: 'An API key of Acme was created',
    text: `An API key was created

Whoever has it can order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: grace@acme.example
From: 203.0.113.9
When: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

Was this not one of you?

Revoke it in the portal at once: whoever has it is refused from the next request on.

Then look into the audit log there, for what else was done and by whom.

You get this mail because you are an admin of Acme.
`,
  },
  key_revoked: {
    notice: () => ({ kind: 'key_revoked', details: { ...key, by: 'the operator (root)', from: 'ops-1' } }),
    subject: 'An API key of Acme was revoked',
    text: `An API key was revoked

Whoever has it can no longer order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: the operator (root)
From: ops-1
When: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

Was this not one of you?

Programs that use this key are refused from now on, and a key cannot be brought back. Create a new one in the portal and give it to them.

Then look into the audit log there, for what else was done and by whom.

You get this mail because you are an admin of Acme.
`,
  },
  balance_low: {
    notice: () => ({
      kind: 'balance_low',
      details: { organization_name: 'Acme', environment: 'live', balance_cents: 4550, threshold_cents: 100_000 },
    }),
    subject: 'The balance of Acme is low',
    text: `The balance is low

The live balance of Acme has fallen below $1,000.00.

$45.50 left

Open the portal:
https://gifts.example.com/portal

What happens now

Gifts are sold as before while the balance pays for them. An order that costs more is refused as a whole, and nothing is charged.

This mail comes once. The next one comes after the balance was back at $1,000.00 or more.

You get this mail as an admin or the billing contact of Acme. When it comes is set in the portal.
`,
  },
};

for (const [kind, { notice, subject, text }] of Object.entries(letters))
  test(`${kind}: one mail from Bestow to one recipient, byte for byte, with all that it says in both its forms`, async () => {
    const received = await send(notice());
    const [row] = await noticesOf(service, organization);
    assert.ok(row);
    assert.deepEqual([received.from, received.to], ['gifts@bestow.example', ['Ada.L+x@Acme.EXAMPLE']]);
    assert.match(received.raw, /^To: Ada\.L\+x@Acme\.EXAMPLE\r$/m);
    assert.deepEqual(received.email.from, { name: 'Bestow', address: 'gifts@bestow.example' });
    assert.equal(received.messageId, `${referenceOf(organization, row)}@bestow.example`);
    assert.equal(received.email.subject, subject);
    const { html = '', text: receivedText = '' } = received.email;
    // A message ends with a line's end of its own.
    assert.equal(visible(receivedText), `${text}\n`);
    // The letter says the same, and its one link leads to the portal.
    const words = visible(html.replace(/^[\s\S]*?<table/, '<').replace(/<[^>]+>/g, ' '))
      .replaceAll('&ensp;', ' ')
      .replace(/\s+/g, ' ');
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('Open the portal')))
      for (const part of line.startsWith('http') ? [line] : line.split(/(?<=^[A-Z][a-z]+): /))
        assert.ok(words.replaceAll(' ', '').includes(part.replaceAll(' ', '')), part);
    const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
    assert.deepEqual([...links], kind === 'sign_in_code' ? [] : ['https://gifts.example.com/portal']);
    assert.doesNotMatch(html, /<script|<form|<link|<img|@import|url\(/i);
    assert.deepEqual(
      { ...row, notice_id: '' },
      {
        notice_id: '',
        recipient: 'Ada.L+x@Acme.EXAMPLE',
        kind,
        state: 'sent',
        tries: 1,
        reason: null,
        provider: 'smtp',
      },
    );
  });

test('names with markup, addresses and marks of direction add no element, no header and no link', async () => {
  const hostile =
    '</td></table><a href="https://evil.test">x</a> evil.test me@evil.test \u202e"\r\nBcc: evil@evil.test';
  const details = { ...key, organization_name: hostile, key_name: hostile, by: hostile, from: hostile };
  const plain = await send({ kind: 'key_created', details: key });
  const received = await send({ kind: 'key_created', details });
  const tags = ({ email }: ReceivedMail) => [...(email.html ?? '').matchAll(/<\/?[a-z][^\s>]*/g)].map(([tag]) => tag);
  const headers = ({ email }: ReceivedMail) => email.headers.map((header) => header.key).sort();
  assert.deepEqual(tags(received), tags(plain));
  assert.deepEqual(headers(received), headers(plain));
  assert.deepEqual(received.to, ['Ada.L+x@Acme.EXAMPLE']);
  for (const part of [received.email.html ?? '', received.email.text ?? '']) {
    const shown = part.replace(/<title>.*<\/title>/, '').replace(/<div style="display:none.*<\/div>/, '');
    assert.doesNotMatch(shown, /evil\.test|me@evil|\u202e/);
  }
});

test('of a transaction that is rolled back nobody hears; without recipients nothing is queued', async () => {
  const { deps } = service.service;
  const notice = codeNotice(service, '482913');
  const organizationId = organization.organizationUuid;
  await assert.rejects(
    inTransaction(deps.database.pool, async (client) => {
      await queueNotices(client, deps, { organizationId, recipients: ['ada@example.com'], notice });
      throw new Error('Changed its mind.');
    }),
  );
  await queue(service, organization, notice);
  await workOn(service, 5);
  assert.deepEqual([mail.tried, await noticesOf(service, organization)], [[], []]);
});

test('an address refused for good fails its own notice, and its neighbour is sent', async () => {
  mail.answer((to) =>
    to.startsWith('unknown') ? { code: 550, text: '5.1.1 <unknown@example.com>: no such user' } : 'accept',
  );
  await queue(service, organization, { kind: 'key_created', details: key }, 'unknown@example.com', 'good@example.com');
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

test('what is temporary is tried again, and a mail that was accepted without our knowing keeps its identity', async () => {
  // Accepted, and then the worker's record of it is lost: as when it is killed between the two.
  await queue(service, organization, { kind: 'key_created', details: key }, 'ada@example.com');
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

test('in production without settings a notice waits, and is sent once they are there', async (t) => {
  const production = await startTestService({ NODE_ENV: 'production' });
  t.after(() => production.close());
  const customer = await production.organization();
  await queue(production, customer, { kind: 'key_created', details: key }, 'ada@example.com');
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

test('a sign-in code that has expired is not sent any more, and is forgotten a day later; other notices stay', async () => {
  mail.answer(() => ({ code: 451, text: '4.7.1 Come back later' }));
  await queue(service, organization, codeNotice(service, '482913'), 'ada@example.com');
  await queue(service, organization, { kind: 'key_created', details: key }, 'ada@example.com');
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

test('no table of the database holds a code that was mailed', async () => {
  const code = '730164928517';
  const received = await send(codeNotice(service, code));
  assert.ok(received.email.text?.includes(code));
  const tables = await service.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  assert.ok(tables.length > 15);
  for (const { name } of tables) {
    const rows = await service.sql<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    assert.ok(!rows.some(({ row }) => row.includes(code)), name);
  }
});

test('a seal opens what an earlier secret sealed, and nothing else', () => {
  const earlier = createSeal(['an earlier secret']);
  const now = createSeal(['a new secret', 'an earlier secret']);
  const sealed = earlier.seal('482913');
  assert.equal(now.open(sealed), '482913');
  assert.equal(earlier.open(now.seal('482913')), undefined);
  assert.notEqual(sealed, earlier.seal('482913'));
  const bytes = Buffer.from(sealed, 'base64url');
  for (let n = 0; n < bytes.length; n += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(n) ^ 1, n);
    assert.equal(now.open(altered.toString('base64url')), undefined, `byte ${n}`);
  }
  for (const text of ['', 'x', '482913', sealed.slice(0, -4)]) assert.equal(now.open(text), undefined);
});

test('a key that is created or revoked is told to every active admin; whoever is added is told, and nobody else', async () => {
  const { second, member } = await organization.addMembers();
  await organization.deactivate(second);
  await workUntil(service, settled, 'invited');
  assert.ok(member);
  assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), ['member@example.com', 'second@example.com']);
  const { deps } = service.service;
  const { organizationId } = organization;
  await addMember(deps, { organizationId, email: 'third@example.com', role: 'admin', actor: OPERATOR });
  mail.received.length = 0;
  const { key_id: keyId } = await createKey(deps, {
    organizationId,
    environment: 'live',
    name: 'Shop',
    actor: OPERATOR,
  });
  await revokeKey(deps, { organizationId, keyId, actor: OPERATOR });
  await workUntil(service, settled, 'told');
  const told = mail.received.map(({ to, email }) => `${to.join()}: ${email.subject}`).sort();
  assert.deepEqual(told, [
    'admin@example.com: An API key of Test Organization was created',
    'admin@example.com: An API key of Test Organization was revoked',
    'third@example.com: An API key of Test Organization was created',
    'third@example.com: An API key of Test Organization was revoked',
    'third@example.com: You are an admin of Test Organization on Bestow',
  ]);
});
