import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { createApiClient, emailGift, gift, linkGift } from '../harness/api-client.ts';
import { type Canary, dumpDatabase, findCanaries } from '../harness/canaries.ts';
import { type CookieBrowser, openCookieBrowser } from '../harness/cookie-browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { bestow, type RunningProcess, serve, temporaryDirectory, until } from '../harness/server-process.ts';
import { totpNow } from '../harness/totp.ts';
import { startTwilioServer, type TwilioServer } from '../harness/twilio-server.ts';

/**
 * No usable key, link, session, code or secret setting is in a database dump, in the debug log, or in a mail or page of
 * another person. A real process with the real clock does a bit of everything.
 */

const SETTINGS = {
  LINK_SECRET: 'canary-link-secret-one-0123456789abcdef,canary-link-secret-two-0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'canary-twilio-auth-token-0123456789',
  POSTMARK_WEBHOOK_PASSWORD: 'canary-postmark-password-0123456789',
};
const SMTP_PASSWORD = 'canary-smtp-password-0123456789';

const canaries: Canary[] = [
  ...SETTINGS.LINK_SECRET.split(',').map((secret, n) => ({ name: `LINK_SECRET ${n + 1}`, secret })),
  { name: 'TWILIO_AUTH_TOKEN', secret: SETTINGS.TWILIO_AUTH_TOKEN },
  { name: 'POSTMARK_WEBHOOK_PASSWORD', secret: SETTINGS.POSTMARK_WEBHOOK_PASSWORD },
  { name: 'SMTP password', secret: SMTP_PASSWORD },
];
const plant = (name: string, secret: string): string => {
  assert.ok(secret.length >= 6, name);
  canaries.push({ name, secret });
  return secret;
};

/** A text that someone received, and the secrets that it may hold. */
const shown: { to: string; text: string; own: string[] }[] = [];
const cleanUp: (() => Promise<void>)[] = [];
let dataDir: string;
let mail: MailServer;
let twilio: TwilioServer;
let server: RunningProcess;
let address: string;
let dump: Map<string, string>;
let log: string;

/** Runs an operator's command on the same database. */
async function command(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await bestow([...args, '--json'], { DATA_DIR: dataDir }).ended;
  assert.equal(code, 0, stderr);
  // The command prints nothing else.
  log += stderr;
  return JSON.parse(stdout);
}

interface Organization {
  id: string;
  admin: string;
  live: string;
  sandbox: string;
}

async function organization(name: string): Promise<Organization> {
  const admin = `${name}@example.com`;
  const { organization_id: id = '' } = await command('org', 'create', '--name', name, '--admin-email', admin);
  const key = async (environment: string) => {
    const { key = '' } = await command('key', 'create', '--org', id, '--environment', environment, '--name', name);
    const funds = ['--environment', environment, '--amount', '1000000', '--reference', environment];
    await command('balance', 'add', '--org', id, ...funds);
    return plant(`${environment} key of ${name}`, key);
  };
  const [live, sandbox] = [await key('live'), await key('sandbox')];
  return { id, admin, live, sandbox };
}

/** Returns the code of the next mail to this address. */
async function codeFor(email: string, act: () => Promise<unknown>): Promise<string> {
  const earlier = mail.received.length;
  let code: string | undefined;
  await act();
  await until(() => {
    const mails = mail.received.slice(earlier).filter(({ to }) => to[0] === email);
    const found = mails.find(({ email: { subject } }) => subject === 'Your sign-in code for Bestow');
    code = /(?<!\d)\d{6}(?!\d)/.exec(found?.email.text ?? '')?.[0];
    return code !== undefined;
  }, `a code for ${email}`);
  return plant(`sign-in code of ${email}`, code ?? '');
}

async function signIn(email: string): Promise<CookieBrowser> {
  const person = openCookieBrowser(address);
  const post = async (path: string, body: object) => {
    const { status, text } = await person.call('POST', `/auth${path}`, body);
    assert.equal(status, 200, text);
    return text;
  };
  const otp = await codeFor(email, () => post('/email-otp/send-verification-otp', { email, type: 'sign-in' }));
  // A wrong attempt is logged too.
  await person.call('POST', '/auth/sign-in/email-otp', { email, otp: otp === '000000' ? '111111' : '000000' });
  await post('/sign-in/email-otp', { email, otp });
  for (const [name, value] of person.cookies) plantCookie(`${name} of ${email}`, value);
  return person;
}

/** The session needs the whole cookie; the database holds the token but not its signature. */
function plantCookie(name: string, value: string): void {
  plant(name, decodeURIComponent(value));
  plant(`signature of ${name}`, decodeURIComponent(value).split('.')[1] ?? '');
}

const tokenOf = (text: string) => /\/g\/([A-Za-z0-9_-]{40,})/.exec(text)?.[1] ?? assert.fail(text);

before(async () => {
  dataDir = await temporaryDirectory({ after: (act) => void cleanUp.push(act) });
  [mail, twilio] = [await startMailServer('refused'), await startTwilioServer()];
  log = '';
  server = serve(dataDir, {
    ...SETTINGS,
    DEMO: '0',
    LOG_LEVEL: 'trace',
    METRICS_PORT: '0',
    SMTP_URL: mail.url.replace('wrong', SMTP_PASSWORD),
    MAIL_FROM: 'gifts@bestow.example',
    TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
    TWILIO_FROM: '+12025550199',
    TWILIO_BASE_URL: twilio.url,
  });
  address = (await server.ready()).address;
  const client = new Client({ host: join(dataDir, 'postgres'), user: 'bestow', database: 'bestow' });
  await client.connect();
  await command('catalog', 'add-built-in');
  const [one, two] = [await organization('one'), await organization('two')];
  await actInApi(one);
  // Errors about a secret setting do not show the secret.
  await until(() => server.stdout().includes('535 '), 'a refused login in the log');
  mail.acceptLogins();
  await until(() => twilio.requests.length > 0, 'a text message');
  const token = tokenOf(twilio.requests[0]?.form['Body'] ?? '');
  shown.push({
    to: 'the phone',
    text: JSON.stringify(twilio.requests),
    own: [plant('link of the phone', token), SETTINGS.TWILIO_AUTH_TOKEN],
  });
  await until(() => mail.received.some(({ to }) => to[0] === 'ada@example.com'), 'the gift’s mail');
  const sent = mail.received.find(({ to }) => to[0] === 'ada@example.com');
  plant('link of ada@example.com', tokenOf(sent?.email.text ?? ''));
  const person = await actInPortal(one);
  await signIn(two.admin);
  await lookAround(person, one);
  // A lost connection is logged with all details.
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bestow%'`);
  await createApiClient(address, one.live).get('/v1/orders');
  await until(() => /connection/i.test(server.stdout()), 'the loss in the log');
  dump = await dumpDatabase(client);
  await client.end();
  server.signal('SIGTERM');
  const { stdout, stderr } = await server.ended;
  log += stdout + stderr;
});
after(async () => {
  await mail?.close();
  await twilio?.close();
  for (const act of cleanUp) await act();
});

/** Places orders of each kind, and sends keys and links in wrong places. */
async function actInApi({ live, sandbox }: Organization): Promise<void> {
  const [api, tests] = [createApiClient(address, live), createApiClient(address, sandbox)];
  const order = await api.order([
    gift({
      delivery: { method: 'email', email: 'ada@example.com' },
      personalization: { recipient_name: 'Ada Canary' },
    }),
    gift({ delivery: { method: 'phone', phone: '+12025550142' } }),
    linkGift(),
  ]);
  assert.equal(order.status, 201, JSON.stringify(order.body));
  await tests.order([emailGift('bounced'), linkGift()]);
  const token = plant('link of the link gift', tokenOf(order.body.gifts[2].delivery.link));
  for (const secret of [live, sandbox, token])
    for (const path of [`gifts/${secret}`, `orders?starting_after=${secret}`, secret, `../${secret}?key=${secret}`])
      await api.get(`/v1/${path}`);
  await api.order([{ ...gift(), api_key: live, [live]: token }]);
  await api.post('/v1/orders', `{"${live}`, { 'Idempotency-Key': 'no json' });
  await createApiClient(address, `${live}x`).get('/v1/orders');
  await actAsRecipient(token);
}

async function actAsRecipient(token: string): Promise<void> {
  const press = async (act: string) =>
    await fetch(`${address}/g/${token}/${act}`, { method: 'POST', redirect: 'manual', headers: { cookie } });
  let cookie = '';
  const [set = ''] = (await press('open')).headers.getSetCookie();
  cookie = set.split(';', 1)[0] ?? '';
  plant('cookie of the recipient', cookie.split('=')[1] ?? '');
  await press('claim');
  const page = await (await fetch(`${address}/g/${token}`)).text();
  const [, digits = ''] = /class="digits">([\d ]{15,})</.exec(await (await press('reveal')).text()) ?? [];
  plant('card number', digits);
  plant('card number without blanks', digits.replaceAll(' ', ''));
  shown.push({ to: 'a reader who did not reveal the number', text: page.replaceAll(token, ''), own: [] });
}

/** Signs in with a code and an authenticator app, and creates a key. */
async function actInPortal({ id, admin }: Organization): Promise<CookieBrowser> {
  const person = await signIn(admin);
  const started = JSON.parse((await person.call('POST', '/auth/two-factor/enable', {})).text);
  const secret = plant('authenticator secret', new URL(started.totpURI).searchParams.get('secret') ?? '');
  for (const [n, code] of started.backupCodes.entries()) plant(`backup code ${n + 1}`, code);
  const proof = await person.call('POST', '/auth/two-factor/verify-totp', { code: totpNow(secret) });
  assert.equal(proof.status, 200, proof.text);
  for (const [name, value] of person.cookies) plantCookie(`${name} of ${admin}, rotated`, value);
  const made = await person.call('POST', `/organizations/${id}/live/keys`, { name: 'from the portal' });
  plant('key of the portal', JSON.parse(made.text).key);
  return person;
}

/** Reads every page of the portal and the operator's pages. */
async function lookAround(person: CookieBrowser, { id }: Organization): Promise<void> {
  const at = `/organizations/${id}`;
  const ofBalance = ['balance', 'balance/entries', 'balance/entries.csv', 'balance/statements'];
  const ofMode = [
    ...ofBalance,
    'overview',
    'keys',
    'gifts',
    'gifts.csv',
    'orders',
    'orders.csv',
    'requests',
    'audit-events',
  ];
  const paths = ['/me', '/sessions', `${at}/members`];
  for (const mode of ['live', 'sandbox']) for (const name of ofMode) paths.push(`${at}/${mode}/${name}`);
  const gifts = JSON.parse((await person.call('GET', `${at}/live/gifts`)).text).data as { gift_id: string }[];
  for (const { gift_id } of gifts)
    for (const part of ['', '/messages/1', '/messages/1/letter']) paths.push(`${at}/live/gifts/${gift_id}${part}`);
  const requests = JSON.parse((await person.call('GET', `${at}/live/requests`)).text).data as { request_id: string }[];
  assert.ok(requests.length > 8, `${requests.length} requests in the log`);
  for (const { request_id } of requests) paths.push(`${at}/live/requests/${request_id}`);
  for (const path of paths) {
    const { status, text } = await person.call('GET', path);
    assert.ok(status === 200 || path.includes('/messages/'), `${path}: ${status}`);
    shown.push({ to: `the portal, ${path}`, text, own: [] });
  }
  const [metrics = ''] = /http:\S+\/metrics/.exec(server.stdout()) ?? [];
  shown.push({ to: 'the operator’s metrics', text: await (await fetch(metrics)).text(), own: [] });
}

test('a database dump holds no usable key, link, session, code, card or setting', () => {
  assert.ok(dump.size > 25 && canaries.length > 25, `${dump.size} tables, ${canaries.length} secrets`);
  for (const table of ['gifts', 'notices', 'request_log', 'pgboss.job_common', 'portal.sessions', 'portal.two_factors'])
    assert.ok(
      [...dump].some(([name, text]) => name.endsWith(table) && text !== ''),
      `${table} has rows`,
    );
  for (const [table, text] of dump) assert.deepEqual(findCanaries(canaries, text), [], table);
});

test('the debug log holds no secret, and no address or name of a person', () => {
  assert.ok(log.split('\n').length > 80, log);
  assert.deepEqual(findCanaries(canaries, log), []);
  for (const person of ['ada@example.com', '2025550142', 'Ada Canary', 'one@example.com', 'two@example.com'])
    assert.ok(!log.includes(person), person);
});

test('a mail or page holds only the link or code of its reader', () => {
  for (const { email, to } of mail.received) {
    const text = `${email.subject}\n${email.text}\n${email.html}`;
    for (const name of findCanaries(canaries, text))
      assert.ok([`link of ${to[0]}`, `sign-in code of ${to[0]}`].includes(name), `${name} in a mail to ${to[0]}`);
  }
  // The gift's mail and two codes; mails about keys may still be queued.
  assert.ok(mail.received.length >= 3, `${mail.received.length} mails`);
  for (const { to, text, own } of shown)
    assert.deepEqual(
      findCanaries(
        canaries.filter(({ secret }) => !own.includes(secret)),
        text,
      ),
      [],
      to,
    );
});
