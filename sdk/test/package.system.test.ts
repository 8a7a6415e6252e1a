import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createContext, Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import type { TestService } from '../../server/test/harness/test-service.ts';
import { execute, type InstalledPackage, installPackage, root, sdk } from './installed-package.ts';

// The client as users get it: packed, installed into a plain project, and used there.

let installed: InstalledPackage;
let service: TestService;
let project: string;
let packed: InstalledPackage['packed'];
let runProgram: InstalledPackage['runProgram'];

before(async () => {
  installed = await installPackage();
  ({ service, project, packed, runProgram } = installed);
});
after(() => installed.close());

/** The machine's Node, 20 or later; it may be older than the Node in node_modules. */
const MACHINES_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

test('the package holds exactly the needed files', async () => {
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
    'CHANGELOG.md',
    'README.md',
    ...['cjs', 'esm'].flatMap((kind) =>
      [
        ...[
          'attempts',
          'bodies',
          'client',
          'errors',
          'event-types',
          'events',
          'fake/gift',
          'fake/gift-acts',
          'fake/index',
          'fake/input',
          'fake/lists',
          'fake/memory',
          'fake/operations',
          'fake/orders',
          'fake/refusal',
          'fake/rules',
          'fake/service',
          'fake/time',
          'fake/webhooks',
          'folder-store',
          'index',
          'ledger',
          'limit',
          'list',
          'methods',
          'no-answer',
          'operations',
          'options',
          'orders',
          'platform',
          'read-answer',
          'resources',
          'send',
          'store',
          'verify-proof',
          'verify-statement',
          'webhooks',
        ].flatMap((name) => [`${name}.d.ts`, `${name}.js`]),
        'package.json',
        'schema.d.ts',
      ]
        .sort()
        .map((name) => `dist/${kind}/${name}`),
    ),
    'package.json',
  ]);
  const { license, dependencies, peerDependencies } = JSON.parse(
    await readFile(join(project, 'node_modules/bestow-sdk/package.json'), 'utf8'),
  );
  assert.deepEqual([license, dependencies, peerDependencies], ['UNLICENSED', undefined, undefined]);
  assert.deepEqual(
    (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['bestow-sdk'],
  );
});

test('packing in a production checkout installs the build tools first', async () => {
  const checkout = join(project, 'checkout');
  for (const name of [
    'scripts',
    'server/bin',
    'sdk/build.js',
    'sdk/package.json',
    'sdk/tsconfig.json',
    'sdk/src',
    'portal/package.json',
  ])
    await cp(join(root, name), join(checkout, name), { recursive: true });
  await mkdir(join(checkout, 'node_modules'));
  await writeFile(join(checkout, 'node_modules/.package-lock.json'), '{}\n');
  const npm = `echo "$* in '$npm_config_workspace'" > called; ln -s '${root}portal/node_modules' portal/node_modules`;
  await writeFile(join(checkout, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = [checkout, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const { scripts } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'));
  await execute('sh', ['-c', scripts.prepack], {
    cwd: join(checkout, 'sdk'),
    env: { PATH: path, npm_config_workspace: 'sdk' },
  });
  assert.match(await readFile(join(checkout, 'called'), 'utf8'), /^install .*--include=dev in ''\n$/);
  assert.ok(existsSync(join(checkout, 'sdk/dist/esm/index.js')));
});

/** Calls every method once and prints the results. */
const program = (loading: string) => `${loading}
const bestow = new Bestow(process.env.BESTOW_KEY, { baseUrl: process.env.BASE_URL });
const to = (email) => ({ amount: 2500, category: 'coffee', delivery: { method: 'email', email: email + '@sandbox.gift.test' } });
async function main() {
  const order = await bestow.orders.create({ gifts: [to('someone'), to('delivery-failed'), to('other')] });
  const [one, failed, other] = order.gifts.map(({ gift_id }) => gift_id);
  const status = ({ delivery }) => delivery.status;
  const ids = [];
  for await (const { gift_id } of bestow.gifts.list({ limit: 2 })) ids.push(gift_id);
  const orders = [];
  for await (const { order_id } of bestow.orders.list()) orders.push(order_id);
  const categories = [];
  for await (const { id } of bestow.categories.list()) categories.push(id);
  const events = [];
  for await (const { type } of bestow.events.stream({ types: ['order.created'] })) if (events.push(type)) break;
  const refusal = await bestow.gifts.retrieve('gift_0').catch((error) => error);
  const printed = {
    retrieved: (await bestow.orders.retrieve(order.order_id)).order_id === order.order_id && orders.includes(order.order_id),
    listed: ids.length === 3 && new Set(ids).size === 3,
    categories,
    events,
    redirected: status(await bestow.gifts.redirect(failed, { method: 'email', email: 'opened@sandbox.gift.test' })),
    delivered: status(await bestow.sandbox.deliver(one)),
    failed: status(await bestow.sandbox.deliver(other, { outcome: 'failed' })),
    opened: status(await bestow.sandbox.open(one)),
    claimed: status(await bestow.sandbox.claim(one)),
    spent: status(await bestow.sandbox.spend(one)),
    retrievedGift: status(await bestow.gifts.retrieve(one)),
    refusal: [refusal instanceof InvalidRequestError, refusal.name, refusal.code],
    reset: (await bestow.sandbox.reset()).orders_deleted,
  };
  console.log(JSON.stringify(printed));
}
main();
`;

/** Expected output of that program. */
const everyMethod = {
  retrieved: true,
  listed: true,
  categories: ['coffee', 'books', 'travel'],
  events: ['order.created'],
  redirected: 'opened',
  delivered: 'sent',
  failed: 'failed',
  opened: 'opened',
  claimed: 'claimed',
  spent: 'claimed',
  retrievedGift: 'claimed',
  refusal: [true, 'InvalidRequestError', 'resource_missing'],
  reset: 1,
};

for (const [kind, name, loading] of [
  ['an ECMAScript module', 'module.mjs', `import { Bestow, InvalidRequestError } from 'bestow-sdk';`],
  ['CommonJS', 'commonjs.cjs', `const { Bestow, InvalidRequestError } = require('bestow-sdk');`],
] as const)
  test(`every method works from ${kind}, in Node 26 and the machine's Node`, async () => {
    assert.ok(MACHINES_NODE, 'the machine has its own Node');
    for (const node of [process.execPath, MACHINES_NODE]) {
      const { keys } = await service.organization();
      assert.deepEqual(JSON.parse(await runProgram(name, program(loading), keys.sandbox, node)), everyMethod);
    }
  });

test('the client needs only web APIs: no Node module, process or Buffer', async () => {
  const { keys } = await service.organization();
  const { AbortController, clearTimeout, crypto, fetch, Headers, performance } = globalThis;
  const { setTimeout, TextDecoder, URL, URLSearchParams } = globalThis;
  const web = { AbortController, clearTimeout, crypto, fetch, Headers, performance };
  const context = createContext({ ...web, setTimeout, TextDecoder, URL, URLSearchParams });
  const load = (file: string): Record<string, unknown> => {
    const loaded = { exports: {} };
    const text = readFileSync(join(project, 'node_modules/bestow-sdk/dist/cjs', file), 'utf8');
    new Script(`(exports, require) => {${text}\n}`).runInContext(context)(loaded.exports, load);
    return loaded.exports;
  };
  const { Bestow } = load('index.js') as unknown as typeof import('../src/index.ts');
  const bestow = new Bestow(keys.sandbox, { baseUrl: service.url });
  const { status } = await bestow.orders.create({
    gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }],
  });
  assert.equal(status, 'processed');
});

test('the service serves the package, which installs and works', async () => {
  const { status, headers, body } = await fetch(`${service.url}/sdk.tgz`).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }));
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/gzip']);
  // The same files as `npm pack` makes.
  assert.ok(gunzipSync(body).equals(gunzipSync(readFileSync(join(project, packed.filename)))));
});

test('the samples of the README run and print what the README says', async () => {
  const readme = readFileSync(join(sdk, 'README.md'), 'utf8');
  const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
  assert.ok(samples.length >= 6, `${samples.length} samples`);
  const { keys } = await service.organization();
  const text = samples.join('\n').replaceAll('http://localhost:3000', service.url);
  const printed = await runProgram('readme.mts', text, keys.sandbox);
  const lines = printed.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^ord_\w{26} http\S+\/g\/\S+$/);
  assert.equal(lines[1], 'true');
  assert.equal(lines[2], `[ 'coffee', 'books', 'travel' ]`);
  assert.match(lines[3] ?? '', /^Add funds, then send it again with [0-9a-f-]{36}$/);
  assert.deepEqual([lines.at(-3), lines.at(-2), lines.at(-1)], ['2 false', 'true', 'claimed']);
});
