import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openCommandLine } from '../../harness/command-line.ts';

const { assertRefused, bestow, json } = openCommandLine();

let directory: string;
let file: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-identify-'));
  file = join(directory, 'codes.csv');
  writeFileSync(file, 'value,code,reference,amount\n10,A1,a,10\n');
});
after(() => rm(directory, { recursive: true, force: true }));

async function create(name: string): Promise<string> {
  return (await json('org', 'create', '--name', name, '--admin-email', 'ann@acme.test')).organization_id;
}

/** What each command needs beside an organization. */
const commands: Record<string, string[]> = {
  'org show': [],
  'org rename': ['--name', 'Other'],
  'org suspend': [],
  'org program': [],
  'org reinstate': [],
  'org billing-contact': ['--member', 'mem_01h455vb4pex5vsknk084sn02q'],
  'member add': ['--email', 'bob@acme.test', '--role', 'member'],
  'member list': [],
  'key create': ['--environment', 'live', '--name', 'Shop'],
  'key import': ['--environment', 'live', '--name', 'Shop'],
  'key list': [],
  'agent create': ['--environment', 'live', '--name', 'Assistant', '--preset', 'buyer'],
  'agent list': [],
  'webhook add': ['https://shop.example/in', '--environment', 'live'],
  'webhook list': ['--environment', 'live'],
  'balance add': ['--environment', 'live', '--amount', '100'],
  'balance adjust': ['--environment', 'live', '--amount', '100', '--note', 'Found'],
  'balance approvals': [],
  'balance show': [],
  'topup list': [],
  'cap list': ['--environment', 'live'],
  'cap set': ['--environment', 'live', '--day', '100'],
  'sandbox create': [],
  'sandbox delete': ['--yes'],
  'ledger trial-balance': [],
  'ledger reconcile': ['FILE', '--environment', 'live', '--month', '2026-06'],
  'issuer add': ['codes'],
  'issuer list': [],
  'issuer upload': ['FILE', '--category', 'coffee'],
  'issuer stock': [],
  'issuer release': ['--all', '--category', 'coffee'],
  'gift list': ['--environment', 'live'],
  'gift hold': [],
  'gift release': [],
  'order list': ['--environment', 'live'],
  'recipient erase': ['--email', 'ada@example.com', '--yes'],
  'recipient export': ['--email', 'ada@example.com', '--file', 'out.json'],
  'report aging': [],
  'report recipients': ['--year', '2026'],
  'export orders': ['--environment', 'live'],
  'export gifts': ['--environment', 'live'],
  'export entries': ['--environment', 'live'],
  'audit list': [],
  'request list': ['--environment', 'live'],
};
const takesArgument = (command: string) => command.startsWith('org ');
const wordsOf = (command: string, organization: string) => {
  const more = (commands[command] ?? []).map((word) => (word === 'FILE' ? file : word));
  return [...command.split(' '), ...(takesArgument(command) ? [organization] : ['--org', organization]), ...more];
};

test('without any organization, a command says how to create one', async () => {
  await assertRefused(/^There is no organization\. Create one with bestow org create\.\n$/, ['balance', 'show']);
});

test('--org may be left out while there is one organization', async () => {
  const id = await create('Acme');
  assert.equal((await json('balance', 'show'))[0].organization_id, id);
  await create('Beta Gifts');
  const { code, stderr } = await bestow(['balance', 'show']);
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`^Name the organization: ${id} \\(Acme\\) or org_\\w+ \\(Beta Gifts\\)\\.\\n$`));
  assert.equal((await bestow(['ledger', 'trial-balance'])).code, 0);
});

test('an organization is named by its id, its name in any case, or a part of its id', async () => {
  const id = await create('Café Zürich');
  for (const name of [
    id,
    'café zürich',
    ' CAFE\u0301 ZÜRICH',
    id.slice(-8),
    `org_${id.slice(4, -1)}`,
    id.toUpperCase().slice(6),
  ])
    assert.equal((await json('member', 'list', '--org', name))[0].organization_id, id, name);
  assert.equal((await json('org', 'rename', 'café zürich', '--name', 'Café Bern')).organization_id, id);
  assert.deepEqual(await json('gift', 'hold', '--org', 'café bern', '--yes'), { organization_id: id, on_hold: true });
});

test('a name or part of several organizations is refused with their ids', async () => {
  const [one, two] = [await create('Twin'), await create('twin')];
  const either = `“TWIN” may mean ${one} \\(Twin\\) or ${two} \\(twin\\)\\. Name one by its whole id\\.`;
  await assertRefused(new RegExp(`^${either}\n$`), ['sandbox', 'delete', '--org', 'TWIN', '--yes']);
  await assertRefused(/ may mean .*, .* or /, ['org', 'suspend', one.slice(4, 8)]);
  // The name of one is a part of the other's id.
  const part = one.slice(-8);
  await create(part);
  await assertRefused(/ may mean /, ['key', 'list', '--org', part]);
});

test('every command that takes an organization refuses one that none fits', async () => {
  const { stdout } = await bestow(['completion', 'bash']);
  const taking = [...stdout.matchAll(/^ +'([^']+)'\) words='.*--org /gm)].map(([, path]) => path);
  assert.deepEqual(
    Object.keys(commands).filter((command) => !takesArgument(command)),
    taking,
  );
  for (const command of Object.keys(commands))
    await assertRefused(
      /^There is no organization “Nowhere”\. The command bestow org list shows ids and names\.\n$/,
      wordsOf(command, 'Nowhere'),
      { input: 'sk_old_0123456789' },
    );
  for (const text of ['', 'org_', '01k'])
    await assertRefused(/^There is no organization “\w*”\./, ['member', 'list', '--org', text]);
});
