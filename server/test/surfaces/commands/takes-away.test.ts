import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { encodeId, type IdPrefix } from '../../../src/platform/base/ids.ts';
import { openCommandLine } from '../../harness/command-line.ts';
import { hashDatabase } from '../../harness/hash-database.ts';
import { listCommands } from '../../harness/list-commands.ts';

// What takes value, power or access away asks first: every command is in one of the two tables below.

const { bestow, json, target } = openCommandLine();

/** Ids of the demo's month, and what the commands add to it. */
interface Demo {
  org: string;
  key: string;
  rolled: string;
  member: string;
  grant: string;
  endpoint: string;
  issuer: string;
  approval: string;
  declined: string;
  claimed: string;
  order: string;
  /** Unclaimed. */
  gifts: [string, string, string, string];
}
let demo: Demo;

const live = () => ['--org', demo.org, '--environment', 'live'];

/** With a call that takes it. */
const takes: Record<string, [what: string, args: () => string[]]> = {
  'member role': ['permissions', () => [demo.member, '--role', 'viewer']],
  'member reset-sign-in': ['second factor, sessions', () => [demo.member]],
  'member deactivate': ['access', () => [demo.member]],
  'member erase': ['address, sign-in', () => [demo.member]],
  'key roll': ['the earlier key', () => [demo.rolled, '--overlap-hours', '24']],
  'key revoke': ['a key', () => [demo.key]],
  'agent limit': ['limits', () => [demo.grant, '--day-limit', '100']],
  'agent token': ['the earlier token', () => [demo.grant, '--overlap-hours', '0']],
  'agent revoke': ['a grant', () => [demo.grant]],
  'webhook edit': ['events', () => [demo.endpoint, '--type', 'gift.claimed']],
  'webhook rotate': ['the earlier secret', () => [demo.endpoint]],
  'webhook disable': ['events', () => [demo.endpoint]],
  'webhook remove': ['an endpoint', () => [demo.endpoint]],
  'balance adjust': ['money', () => [...live(), '--amount', '-100', '--note', 'Too much']],
  'balance approve': ['money', () => [demo.approval]],
  'balance decline': ['a request', () => [demo.declined]],
  'cap set': ['limits', () => [...live(), '--day', '100']],
  'catalog retire': ['a category', () => ['coffee']],
  'issuer remove': ['an issuer', () => [demo.issuer]],
  'gift hold': ['a gift', () => [demo.gifts[0]]],
  'gift new-link': ['links', () => [demo.gifts[1]]],
  'gift cancel': ['a gift', () => [demo.gifts[2]]],
  'gift undo-claim': ['a claim', () => [demo.claimed]],
  'gift take-back': ['a card', () => [demo.claimed]],
  'gift reopen-card': ['a card, from its browser', () => [demo.claimed]],
  'order cancel': ['gifts', () => [demo.order]],
  'recipient erase-name': ['a name', () => [demo.gifts[3]]],
  'recipient erase': ['a person', () => ['--email', 'grace.hopper@harbour.example']],
  'sandbox delete': ['a sandbox', () => ['--org', demo.org]],
  'operator remove': ['the page', () => ['olga@gifts.example']],
  'clock accept': ['what is old', () => []],
  'restore finish': ['codes in stock', () => ['--from', '2026-11-01']],
  'org suspend': ['all keys', () => [demo.org]],
  'settings accept': ['links, sessions', () => ['link-secret']],
};

/** What needs a second person, a sign-in, a claim or an earlier start, which this test lacks. Their own tests give `--yes`. */
const withoutYes = [
  'member reset-sign-in',
  'balance approve',
  'gift undo-claim',
  'gift take-back',
  'gift reopen-card',
  'settings accept',
];

/** With the reason. */
const takesNothing: Record<string, string> = {
  serve: 'starts',
  worker: 'starts',
  migrate: 'moves on only',
  doctor: 'reads',
  seed: 'creates',
  'org create': 'creates',
  'org list': 'reads',
  'org show': 'reads',
  'org rename': 'can be undone',
  'org program': 'counts for later orders',
  'org reinstate': 'gives back',
  'org billing-contact': 'names a person',
  'operator add': 'gives',
  'operator list': 'reads',
  'operator log': 'reads',
  'member add': 'gives',
  'member list': 'reads',
  'member activate': 'gives back',
  'member invite-again': 'sends',
  'key create': 'creates',
  'key import': 'creates',
  'key list': 'reads',
  'agent create': 'creates',
  'agent list': 'reads',
  'webhook add': 'creates',
  'webhook list': 'reads',
  'webhook show': 'reads',
  'webhook enable': 'gives back',
  'webhook deliveries': 'reads',
  'webhook resend': 'sends',
  listen: 'reads',
  trigger: 'orders in the sandbox',
  mcp: 'reads, and acts as an agent may',
  'balance approvals': 'reads',
  'balance show': 'reads',
  'topup list': 'reads',
  'cap list': 'reads',
  'sandbox create': 'creates',
  'outbox list': 'reads',
  'outbox retry': 'sends',
  'outbox url': 'reads',
  'outbox show': 'reads',
  'ledger verify': 'reads',
  'ledger trial-balance': 'reads',
  'ledger verify-statement': 'reads',
  'ledger reconcile': 'reads',
  'ledger checkpoint': 'seals',
  'catalog list': 'reads',
  'catalog add': 'creates',
  'catalog add-built-in': 'creates',
  'catalog update': 'can be undone',
  'issuer add': 'creates; a choice must be removed first',
  'issuer list': 'reads',
  'issuer test': 'reads',
  'issuer upload': 'creates',
  'issuer stock': 'reads',
  'issuer release': 'gives back',
  'gift list': 'reads',
  'gift find': 'reads',
  'gift show': 'reads',
  'gift release': 'gives back',
  'gift resend': 'sends; earlier links stay',
  'order list': 'reads',
  'order show': 'reads',
  'card spend': 'spends in the sandbox',
  'recipient export': 'reads',
  'report aging': 'reads',
  'report recipients': 'reads',
  'report money': 'reads',
  'report bank': 'notes; earlier notes stay',
  'export orders': 'reads',
  'export gifts': 'reads',
  'export entries': 'reads',
  'audit list': 'reads',
  'audit verify': 'reads',
  'request show': 'reads',
  'request list': 'reads',
  completion: 'prints',
};

/** Asks only before an amount that may be a slip. */
const ASKS_TOO = 'balance add';

before(async () => {
  const { organization_id: org } = await json('seed', '--demo');
  const owner = ['--org', org, '--environment', 'live'];
  const key = async (name: string) => (await json('key', 'create', ...owner, '--name', name)).key_id;
  const { member_id: member } = await json(
    'member',
    'add',
    '--org',
    org,
    '--email',
    'bob@acme.test',
    '--role',
    'admin',
  );
  const agent = ['agent', 'create', ...owner, '--name', 'Assistant', '--preset', 'buyer'];
  const waiting = async () => {
    const adjust = ['balance', 'adjust', ...owner, '--amount', '-200', '--note', 'Wrong', '--yes', '--json'];
    const { stdout } = await bestow(adjust, { variables: { APPROVAL_ABOVE_CENTS: '100' } });
    return JSON.parse(stdout).approval_id;
  };
  await json('operator', 'add', 'olga@gifts.example');
  demo = {
    org,
    key: await key('Old'),
    rolled: await key('Shop'),
    member,
    grant: (await json(...agent)).grant_id,
    endpoint: (await json('webhook', 'add', 'https://shop.example/in', ...owner)).endpoint_id,
    issuer: (await json('issuer', 'add', 'codes', '--org', org, '--category', 'books')).issuer_id,
    approval: await waiting(),
    declined: await waiting(),
    ...(await findGifts()),
  };
});

async function findGifts(): Promise<Pick<Demo, 'claimed' | 'order' | 'gifts'>> {
  const client = new Client(target());
  await client.connect();
  const find = async (prefix: IdPrefix, condition: string): Promise<string[]> => {
    const text = `select distinct on (order_id) order_id as ord, gift_id as gift from gifts
      where environment = 'live' and scheduled_for is null and canceled_at is null and ${condition}`;
    const { rows } = await client.query<Record<string, string>>(text);
    return rows.map((row) => encodeId(prefix, row[prefix] ?? ''));
  };
  const unclaimed = `claimed_at is null and delivery_state = 'delivered' and (expires_at is null or expires_at > now())`;
  const [claimed = ''] = await find('gift', 'claimed_at is not null');
  const [one = '', two = '', three = '', four = ''] = await find('gift', unclaimed);
  const order = (await find('ord', unclaimed)).at(-1) ?? '';
  await client.end();
  return { claimed, order, gifts: [one, two, three, four] };
}

const callOf = (name: string) => [...name.split(' '), ...(takes[name]?.[1]() ?? [])];

test('every command takes something away or nothing, and only the former has --yes', async () => {
  const listed = await listCommands(bestow);
  const inTables = [...Object.keys(takes), ...Object.keys(takesNothing), ASKS_TOO];
  assert.deepEqual(inTables.toSorted(), listed.toSorted());
  for (const name of listed) {
    const { stdout } = await bestow([...name.split(' '), '--help']);
    const asks = name in takes || name === ASKS_TOO;
    assert.equal(/ --yes +do not ask, for scripts\n/.test(stdout), asks, name);
  }
});

test('without a terminal and --yes, nothing is taken away, also if yes is piped', async () => {
  const hash = await hashDatabase(target());
  for (const name of Object.keys(takes)) {
    const { code, stdout, stderr } = await bestow(callOf(name), { input: 'y\nyes\n' });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, `${name}: ${stderr}`);
    assert.match(stderr, /^[^\n]+\? [^\n]*Nothing was changed; add --yes to skip the question\.\n$/, name);
    assert.equal(await hashDatabase(target()), hash, name);
  }
});

test('with --yes, what was refused is done, and standard output has only JSON', async () => {
  for (const name of Object.keys(takes).filter((one) => !withoutYes.includes(one))) {
    const hash = await hashDatabase(target());
    const { code, stdout, stderr } = await bestow([...callOf(name), '--yes', '--json']);
    assert.equal(code, 0, `${name}: ${stderr}`);
    assert.equal(typeof JSON.parse(stdout), 'object', name);
    assert.notEqual(await hashDatabase(target()), hash, name);
  }
});
