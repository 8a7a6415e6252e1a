import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Erasure, eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import type { RedirectBody } from '../../../src/core/gifts/gift/schema.ts';
import { listAuditEvents } from '../../../src/surfaces/audit-log.ts';
import { emailGift, gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { countPending } from '../../harness/deliveries.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { workOn, workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { processed } from '../../harness/processing-orders.ts';
import { untilLogged } from '../../harness/request-log.ts';
import { openLink } from '../../harness/test-service.ts';

const ADA = 'Ada.Lovelace@Engines.example';
const NAME = 'Augusta Ada Lovelace';
const PHONE = '+442079460958';
const NOTHING: Erasure = {
  organizations: 0,
  gifts: 0,
  messages: 0,
  messages_cancelled: 0,
  orders_processing: 0,
  gifts_elsewhere: 0,
  gifts_unclaimed: 0,
  idempotency_keys_left: 0,
  memberships_left: 0,
};

const { mail, service, organization } = openMailService();

const giftTo = (email: string, recipient_name: string) =>
  gift({ delivery: { method: 'email', email }, personalization: { recipient_name } });

const erase = (recipient: RedirectBody, organizationId?: string) =>
  eraseRecipient(service.service.deps, {
    recipient,
    actor: OPERATOR,
    ...(organizationId === undefined ? {} : { organizationId }),
  });

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  assert.ok(tables.length > 20, `${tables.length} tables`);
  const texts = await Promise.all(
    tables.map(({ name }) => service.sql<{ text: string }>(`select t::text as text from ${name} t`)),
  );
  return texts
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

const linkIn = (text: string) => /\S+\/g\/[\w-]+/.exec(text)?.[0] ?? assert.fail(text);

test('erases name and address from every table; orders, links and ledger stay', async () => {
  const { live, sandbox } = organization;
  // One delivered message, one that is still retried, one to another recipient.
  mail.answer((recipient) =>
    recipient.startsWith('ada') ? { code: 451, text: `4.7.1 <${recipient}> of ${ADA}: later` } : 'accept',
  );
  const delivered = await live.order([giftTo(ADA, NAME), giftTo('bob@example.com', 'Bob')], 'delivered');
  await workUntil(service, async () => (await countPending(service)) === 0, 'two messages are recorded');
  const pending = await live.order([giftTo(ADA.toLowerCase(), NAME)], 'pending');
  await workUntil(service, () => mail.tried.filter((address) => address === ADA.toLowerCase()).length > 1, 'tries');
  // In the sandbox: a pending gift, a redirected gift and a refused request.
  const processing = await sandbox.order([
    emailGift('processing'),
    giftTo(ADA, NAME),
    giftTo('bob@example.com', 'Bob'),
  ]);
  assert.equal(processing.body.gifts.length, 0);
  const phoned = await sandbox.order([
    gift({ delivery: { method: 'phone', phone: '+44 (0)20 7946 0958' }, personalization: { recipient_name: NAME } }),
  ]);
  const movedId = (await sandbox.order([giftTo(ADA, NAME)])).body.gifts[0].gift_id;
  await sandbox.post(`/v1/sandbox/gifts/${movedId}/deliver`, { outcome: 'failed' });
  await sandbox.put(`/v1/gifts/${movedId}/delivery`, { method: 'email', email: 'grace@example.com' });
  assert.equal((await sandbox.order([{ ...giftTo(ADA, NAME), amount: 1 }])).status, 422);
  await untilLogged(service, organization, 'sandbox', 6);
  const held = (await dump()).toLowerCase();
  for (const text of [ADA, NAME, PHONE]) assert.ok(held.includes(text.toLowerCase()), `${text} is there before`);

  assert.deepEqual(await erase({ method: 'email', email: 'ADA.lovelace@engines.EXAMPLE' }), {
    ...NOTHING,
    organizations: 1,
    gifts: 3,
    messages: 3,
    messages_cancelled: 1,
    orders_processing: 1,
    gifts_elsewhere: 1,
  });
  assert.deepEqual(await erase({ method: 'phone', phone: '+44 20 7946 0958' }), {
    ...NOTHING,
    organizations: 1,
    gifts: 1,
    messages: 1,
    messages_cancelled: 1,
  });
  const left = (await dump()).toLowerCase();
  for (const text of [ADA, NAME, PHONE, 'Lovelace', 'engines.example>'])
    assert.ok(!left.includes(text.toLowerCase()), `${text} is still there`);
  assert.ok(left.includes('bob@example.com'), 'other recipients stay');
  await verifyAll(service);

  // Pending work ends without a message to the person.
  const triesBefore = mail.tried.length;
  await workOn(service);
  assert.equal(mail.tried.length, triesBefore);
  const finished = (await processed(service, sandbox, processing.body.order_id)) as unknown as typeof processing.body;
  assert.deepEqual(finished.gifts[1].delivery, { method: 'email', status: 'failed' });
  assert.deepEqual(finished.gifts[2].personalization.recipient_name, 'Bob');
  assert.ok(!(await dump()).includes('Lovelace'));

  // A replay answers without the erased data.
  const replay = await live.order([giftTo(ADA, NAME), giftTo('bob@example.com', 'Bob')], 'delivered');
  assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  const [first, second] = delivered.body.gifts;
  assert.deepEqual(replay.body, {
    ...delivered.body,
    gifts: [
      {
        ...first,
        delivery: { method: 'email', status: 'failed' },
        personalization: { sender_name: 'Test Organization' },
      },
      second,
    ],
  });

  // The sent link works, and an unopened gift can be redirected.
  const link = linkIn(mail.received.find(({ to }) => to[0] === ADA)?.email.text ?? '');
  assert.equal((await openLink(service, link)).status, 200);
  const pendingId = pending.body.gifts[0].gift_id;
  const redirected = await live.put(`/v1/gifts/${pendingId}/delivery`, { method: 'email', email: 'new@example.com' });
  assert.deepEqual(redirected.body.delivery, { method: 'email', status: 'sent', email: 'new@example.com' });
  await workUntil(service, () => mail.received.some(({ to }) => to[0] === 'new@example.com'), 'the new message');
  assert.deepEqual((await sandbox.get(`/v1/gifts/${movedId}`)).body.delivery.email, 'grace@example.com');
  assert.equal((await sandbox.get(`/v1/gifts/${phoned.body.gifts[0].gift_id}`)).body.delivery.phone, undefined);

  // Repeating it finds nothing. The audit log names counts, not the person.
  assert.deepEqual(await erase({ method: 'email', email: ADA }), NOTHING);
  const { rows } = await listAuditEvents(service.service.deps, {
    organizationId: organization.organizationUuid,
    page: { limit: 100 },
    filters: { action: 'recipient.erased' },
  });
  assert.deepEqual(
    rows.map(({ sentence }) => sentence),
    [
      'Erased a recipient’s name and address from 1 gift',
      'Erased a recipient’s name and address from 3 gifts and 1 processing order',
    ],
  );
  await verifyAll(service);
});

test('keeps opened and claimed states, and reports what is left', async () => {
  const { sandbox } = organization;
  const email = 'grace.hopper@example.com';
  const key = `for-${email}-1`;
  const ordered = await sandbox.order([giftTo(email, 'Grace'), giftTo(email, 'Grace'), giftTo(email, 'Grace')], key);
  const [opened, claimed] = ordered.body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  await sandbox.post(`/v1/sandbox/gifts/${opened}/open`);
  await sandbox.post(`/v1/sandbox/gifts/${claimed}/claim`);
  await service.sql(`insert into members (organization_id, member_id, email, role, created_at)
    values ('${organization.organizationUuid}', gen_random_uuid(), '${email}', 'member', now())`);
  assert.deepEqual(await erase({ method: 'email', email }), {
    ...NOTHING,
    organizations: 1,
    gifts: 3,
    messages: 3,
    messages_cancelled: 1,
    gifts_unclaimed: 1,
    idempotency_keys_left: 1,
    memberships_left: 1,
  });
  const { gifts } = (await sandbox.get(`/v1/orders/${ordered.body.order_id}`)).body;
  assert.deepEqual(
    gifts.map(({ delivery }: { delivery: unknown }) => delivery),
    ['opened', 'claimed', 'failed'].map((status) => ({ method: 'email', status })),
  );
  await sandbox.post(`/v1/sandbox/gifts/${claimed}/spend`);
  await verifyAll(service);
});

test('erases in one organization if it is named, else in all', async () => {
  const [one, other] = [await service.organization(), await service.organization()];
  const email = 'both@example.com';
  const ids: string[] = [];
  for (const { sandbox } of [one, other])
    ids.push((await sandbox.order([giftTo(email, 'Both')])).body.gifts[0].gift_id);
  const emailsNow = async () => [
    (await one.sandbox.get(`/v1/gifts/${ids[0]}`)).body.delivery.email,
    (await other.sandbox.get(`/v1/gifts/${ids[1]}`)).body.delivery.email,
  ];
  assert.equal((await erase({ method: 'email', email }, one.organizationId)).gifts, 1);
  assert.deepEqual(await emailsNow(), [undefined, email]);
  assert.equal((await erase({ method: 'email', email })).gifts, 1);
  assert.deepEqual(await emailsNow(), [undefined, undefined]);
});

const bestow = (args: readonly string[], options: Parameters<typeof runBestow>[2] = {}) =>
  runBestow(service.target, args, options);

test('the command asks, or takes --yes; without a terminal it is refused', async () => {
  const email = 'cli@example.com';
  const { gift_id } = (await organization.sandbox.order([giftTo(email, 'Cli')])).body.gifts[0];
  const emailNow = async () => (await organization.sandbox.get(`/v1/gifts/${gift_id}`)).body.delivery.email;
  const args = ['recipient', 'erase', '--email', email];
  const refused = await bestow(args, { input: 'yes\n' });
  const lost = 'The name and address are removed from every gift and message of every organization.';
  const question = `Erase ${email}? ${lost} This cannot be undone.`;
  const stderr = `${question} Nothing was changed; add --yes to skip the question.\n`;
  assert.deepEqual(refused, { code: 1, stdout: '', stderr });
  const declined = await bestow(args, { input: 'no\n', isTerminal: true });
  assert.equal(declined.code, 1, declined.stdout);
  assert.match(declined.stderr, /Nothing was changed\./);
  assert.equal(await emailNow(), email);
  const agreed = await bestow(args, { input: 'yes\n', isTerminal: true });
  assert.equal(agreed.code, 0, agreed.stdout);
  assert.match(agreed.stdout, /gifts erased +1\b/);
  assert.equal(await emailNow(), undefined);
  const again = await bestow([...args, '--yes', '--json']);
  assert.deepEqual({ code: again.code, stderr: again.stderr }, { code: 0, stderr: '' });
  assert.deepEqual(JSON.parse(again.stdout), NOTHING);
});

test('the command needs one valid address', async () => {
  for (const [args, code, pattern] of [
    [[], 2, /--email or --phone/],
    [['--email', 'ada'], 2, /email address/],
    [['--phone', '12'], 2, /number such as/],
    [['--email', 'a@b.example', '--phone', PHONE], 2, /cannot be used with/],
    [['--email', 'a@b.example', '--org', 'org_01h455vb4pex5vsknk084sn02q'], 1, /There is no organization/],
  ] as const) {
    const outcome = await bestow(['recipient', 'erase', '--yes', ...args]);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, pattern);
  }
});
