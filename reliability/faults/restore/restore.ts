import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bestow, BestowError } from '../../../sdk/src/index.ts';
import { startLithic } from '../../../server/test/capabilities/lithic/server.ts';
import { startStripe } from '../../../server/test/capabilities/stripe/server.ts';
import { type ApiClient, createApiClient, linkGift } from '../../../server/test/harness/api-client.ts';
import { stripeForm, stripeSettings } from '../../../server/test/harness/choose-stripe.ts';
import { lithicForm, lithicSettings } from '../../../server/test/harness/lithic-network.ts';
import { bestow, freePort, type RunningProcess, until } from '../../../server/test/harness/server-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../server/test/harness/webhook-receiver.ts';
import type { Fault, FaultResult } from '../fault.ts';
import { type ArchivedPostgres, startArchivedPostgres } from './archived-postgres.ts';

const CODES = 12;
const EACH = 3;
const LINK_SECRET = 'a link secret that outlives every restore';

/** One installation that is restored, and what the world outside knows of it. */
interface Story {
  postgres: ArchivedPostgres;
  variables: Record<string, string>;
  org: string;
  live: ApiClient;
  sandbox: ApiClient;
  keys: { live: string; sandbox: string };
  receiver: WebhookReceiver;
  /** Codes that someone has seen. */
  seen: Set<string>;
  /** The cards that the issuers have, by their ids. */
  cards(): string[];
  run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  start(): Promise<RunningProcess>;
  url: string;
}

/** Recovers the database to a minute before claims, orders, top-ups and pushes, and goes on as the guide says. */
export const restore: Fault = {
  name: 'restore',
  summary:
    'A base backup and its log are recovered to an earlier minute: no code, card or sequence is given out twice, and no event is missed.',
  fullCount: 5,
  shortCount: 1,
  async run({ count, say }): Promise<FaultResult> {
    const result: FaultResult = { count, violations: [], failures: [], recoveriesMs: [], notes: [] };
    for (let number = 1; number <= count; number += 1) {
      const postgres = await startArchivedPostgres();
      try {
        const failures = await restoreOnce(await begin(postgres));
        result.failures.push(...failures.map((text) => `Number ${number}: ${text}`));
        say(`${number} of ${count}, ${result.failures.length} broken promises`);
      } finally {
        await postgres.close();
      }
    }
    return result;
  },
};

const json = (text: string) => JSON.parse(text);

const variablesOf = (postgres: ArchivedPostgres, port: number, directory: string) => ({
  DATABASE_URL: postgres.url,
  LINK_SECRET,
  PORT: `${port}`,
  LOG_LEVEL: 'warn',
  HISTORY_FILE: join(directory, 'history.json'),
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  RATE_LIMIT_BURST: '100000',
  RATE_LIMIT_ADDRESS_BURST: '100000',
});

async function begin(postgres: ArchivedPostgres): Promise<Story> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const stripe = await startStripe({ now: () => Date.now() });
  const lithic = await startLithic({ now: () => Date.now() });
  const receiver = await startWebhookReceiver();
  const [{ directory }] = (await postgres.sql(`select current_setting('data_directory') || '/..' as directory`)) as [
    { directory: string },
  ];
  const variables = variablesOf(postgres, port, directory);
  const run = async (...args: string[]) => await bestow(args, variables).ended;
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    if (code !== 0) throw new Error(`bestow ${args.join(' ')}: ${stderr}`);
    return json(stdout);
  };
  await run('migrate');
  await done('catalog', 'add-built-in');
  const { organization_id: org } = await done('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.example');
  const keyOf = async (environment: string): Promise<string> => {
    const of = ['--org', org, '--environment', environment];
    const { key } = await done('key', 'create', ...of, '--name', 'shop');
    await done('balance', 'add', ...of, '--amount', '1000000', '--reference', `first-${environment}`);
    return key;
  };
  const keys = { live: await keyOf('live'), sandbox: await keyOf('sandbox') };
  const set = (settings: object) => Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  await done('issuer', 'add', 'codes', '--org', org, '--category', 'coffee');
  await done('issuer', 'add', 'stripe', '--org', org, '--category', 'books', ...set(stripeSettings(stripe)));
  await done('issuer', 'add', 'lithic', '--org', org, '--category', 'travel', ...set(lithicSettings(lithic)));
  const file = join(directory, 'codes.csv');
  await writeFile(
    file,
    `value,code,shop\n${codes()
      .map((code) => `25.00,${code},Shop\n`)
      .join('')}`,
  );
  await done('issuer', 'upload', file, '--org', org, '--category', 'coffee');
  await done('webhook', 'add', receiver.url, '--org', org, '--environment', 'sandbox');
  return {
    postgres,
    variables,
    org,
    keys,
    receiver,
    run,
    url,
    live: createApiClient(url, keys.live),
    sandbox: createApiClient(url, keys.sandbox),
    seen: new Set(),
    cards: () => [
      ...stripe.account.all('issuing.card', () => true).map(({ id }) => id as string),
      ...lithic.state.cards.keys(),
    ],
    async start() {
      const server = bestow(['serve'], variables);
      await server.ready();
      return server;
    },
  };
}

const codes = () => Array.from({ length: CODES }, (_, index) => `CODE-${String.fromCharCode(65 + index)}`);

async function stop(server: RunningProcess): Promise<string> {
  server.signal('SIGTERM');
  const { stdout, stderr } = await server.ended;
  return stdout + stderr;
}

interface BoughtGift {
  gift_id: string;
  link: string;
}

async function buy({ live }: Story, category: string): Promise<BoughtGift[]> {
  const { body } = await live.order(Array.from({ length: EACH * 2 }, () => ({ ...linkGift(), category })));
  return body.gifts.map((gift: { gift_id: string; delivery: { link: string } }) => ({
    gift_id: gift.gift_id,
    link: gift.delivery.link,
  }));
}

/** Claims a gift; returns the status, and the code if the gift is one. */
async function claim({ url }: Story, { link }: BoughtGift, fields: Record<string, string> = {}) {
  const press = (act: string, cookie = '') =>
    fetch(`${url}/g/${link.slice(-76)}/${act}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams(fields),
    });
  const { status, headers } = await press('claim');
  if (status !== 303) return { status };
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const code = /CODE-[A-Z]/.exec(await (await press('reveal', cookie)).text())?.[0];
  return { status, code };
}

/** Reads a feed from a place to its end. */
async function readAll({ url, keys }: Story, after: number) {
  const bestowClient = new Bestow(keys.sandbox, { baseUrl: url });
  const read: { event_id: string; sequence: number; type: string }[] = [];
  for (let from = after, more = true; more; ) {
    const page = await bestowClient.events.list({ after: from, limit: 3 });
    read.push(...page.data);
    from = page.next_after;
    more = page.has_more;
  }
  return read;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one story, in the order in which it happens
async function restoreOnce(story: Story): Promise<string[]> {
  const failures: string[] = [];
  const expect = (holds: boolean, text: string) => void (holds || failures.push(text));
  let server = await story.start();
  const coffee = await buy(story, 'coffee');
  const books = await buy(story, 'books');
  const travel = await buy(story, 'travel');
  for (let orders = 0; orders < EACH; orders += 1) await story.sandbox.order([linkGift()]);
  await story.postgres.takeBaseBackup();
  const { stdout: checkpointBefore } = await story.run('ledger', 'checkpoint');
  const [row] = await story.postgres.sql<{ time: Date }>(
    `select date_trunc('second', clock_timestamp()) + '2 seconds' as time`,
  );
  const time = row?.time ?? new Date();
  await until(() => Date.now() > time.getTime() + 1_000, 'the time of the restore has passed');

  // What the world outside learns, and the database will not know.
  for (const gift of coffee.slice(0, EACH)) story.seen.add((await claim(story, gift)).code ?? 'none');
  for (const gift of books.slice(0, EACH)) await claim(story, gift, stripeForm);
  for (const gift of travel.slice(0, EACH)) await claim(story, gift, lithicForm);
  for (let orders = 0; orders < EACH; orders += 1) await story.live.order([linkGift()]);
  for (let orders = 0; orders < EACH * 2; orders += 1) await story.sandbox.order([linkGift()]);
  const lostEvents = await readAll(story, 0);
  const lostEnd = lostEvents.at(-1)?.sequence ?? 0;
  await until(() => story.receiver.received.length >= lostEvents.length - 2, 'the events are pushed');
  const { stdout: checkpointLost } = await story.run('ledger', 'checkpoint');
  const cards = story.cards();
  expect(cards.length === EACH * 2, `${cards.length} cards were made instead of ${EACH * 2}.`);
  expect(!story.seen.has('none') && story.seen.size === EACH, `the codes ${[...story.seen]} were seen.`);
  await stop(server);

  await story.postgres.recoverTo(time);
  const doctor = json((await story.run('doctor', '--json')).stdout);
  const checks: { check: string; state: string }[] = Array.isArray(doctor) ? doctor : doctor.findings;
  expect(
    checks.some(({ check, state }) => check === 'history' && state === 'fault'),
    'doctor did not notice.',
  );
  const finish = ['restore', 'finish', '--from', time.toISOString().replace('.000', ''), '--yes', '--json'];
  const finished = await story.run(...finish);
  if (finished.code !== 0) return [...failures, `bestow restore finish ended with ${finished.stderr}`];
  const report = json(finished.stdout);
  expect(report.cards.length === cards.length, `${report.cards.length} of ${cards.length} cards were listed.`);
  expect(report.codes_set_aside === CODES, `${report.codes_set_aside} codes were set aside.`);
  expect(report.events_since === 0, `${report.events_since} events were said to be written since.`);
  expect(json((await story.run(...finish)).stdout).moved_on === 0, 'a second run moved something on.');
  server = await story.start();

  for (const gift of coffee.slice(EACH)) {
    const { status } = await claim(story, gift);
    expect(status === 503, `a claim of a code that was set aside was ${status}.`);
  }
  const unused = codes().filter((code) => !story.seen.has(code));
  const file = join(story.variables['HISTORY_FILE'] ?? '', '..', 'unused.csv');
  await writeFile(file, `code,shop\n${unused.map((code) => `${code},Shop\n`).join('')}`);
  await story.run('issuer', 'release', file, '--org', story.org, '--category', 'coffee');
  for (const gift of coffee) {
    const { code = 'none' } = await claim(story, gift);
    expect(unused.includes(code) && !story.seen.has(code), `the code ${code} was handed out.`);
    story.seen.add(code);
  }
  for (const gift of books) await claim(story, gift, { ...stripeForm, line1: '7 Other Street' });
  for (const gift of travel) await claim(story, gift, { ...lithicForm, line1: '7 Other Street' });
  expect(story.cards().length === EACH * 4, `${story.cards().length} cards are there for ${EACH * 4} gifts.`);

  await story.sandbox.order([linkGift()]);
  const refusal = await readAll(story, lostEnd).catch((error) => (error instanceof BestowError ? error.message : ''));
  expect(`${refusal}`.includes('never happened'), `a reader of the lost time was told “${refusal}”.`);
  const all = await readAll(story, 0);
  const held = await story.postgres.sql<{ sequence: string }>(
    `select e.sequence from events e where environment = 'sandbox' order by sequence`,
  );
  expect(all.length === held.length, `${all.length} of ${held.length} events were read.`);
  const known = new Map(lostEvents.map(({ sequence, event_id }) => [sequence, event_id]));
  const twice = all.find(({ sequence, event_id }) => (known.get(sequence) ?? event_id) !== event_id);
  expect(twice === undefined, `the sequence ${twice?.sequence} was given out twice.`);
  await until(
    () => story.receiver.received.some(({ body }) => body.type === 'database.restored'),
    'the receiver is told of the restore',
  );
  const pushed = Map.groupBy(story.receiver.received, ({ body }) => body.sequence);
  for (const [sequence, pushes] of pushed)
    expect(new Set(pushes.map(({ id }) => id)).size === 1, `the sequence ${sequence} was pushed with two ids.`);

  const verify = async (name: string, text: string) => {
    const path = join(story.variables['HISTORY_FILE'] ?? '', '..', name);
    await writeFile(path, text);
    return await story.run('ledger', 'verify', '--checkpoint', path);
  };
  expect((await story.run('ledger', 'verify')).code === 0, 'ledger verify found a fault.');
  expect((await story.run('audit', 'verify')).code === 0, 'audit verify found a fault.');
  expect((await verify('before', checkpointBefore)).code === 0, 'a checkpoint of before does not fit.');
  const lost = await verify('lost', checkpointLost);
  expect(lost.code === 1 && lost.stdout.includes('was restored to'), 'a checkpoint of the lost time is not explained.');
  const log = await stop(server);
  expect(!log.includes('older than what this server has seen'), 'the start after the command warned.');
  return failures;
}
