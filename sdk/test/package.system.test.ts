import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';

// The client as users get it: packed, installed into a plain project, and used there.

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const sdk = join(root, 'sdk');

let service: TestService;
let project: string;
let packed: { filename: string; files: { path: string }[] };

before(async () => {
  service = await startTestService();
  project = await mkdtemp(join(tmpdir(), 'bestow-sdk-'));
  const options = { cwd: sdk, timeout: 120_000 };
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', project], options);
  [packed] = JSON.parse(stdout) as [typeof packed];
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${packed.filename}`];
  await execute('npm', install, { cwd: project, timeout: 60_000 });
});
after(async () => {
  await service.close();
  await rm(project, { recursive: true, force: true });
});

/** The machine's Node, 20 or later; it may be older than the Node in node_modules. */
const MACHINES_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

/** Runs a program of the project and returns its output. */
async function runProgram(name: string, text: string, key: string, node = process.execPath): Promise<string> {
  await writeFile(join(project, name), text);
  const env = { PATH: process.env['PATH'], BESTOW_KEY: key, BASE_URL: service.url };
  const { stdout, stderr } = await execute(node, [name], { cwd: project, env, timeout: 30_000 });
  assert.equal(stderr, '');
  return stdout;
}

test('the package holds exactly the needed files', async () => {
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
    'README.md',
    ...['cjs', 'esm'].flatMap((kind) =>
      [
        ...['client', 'errors', 'index', 'list', 'send'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]),
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
  for (const name of ['scripts/install.js', 'sdk/build.js', 'sdk/package.json', 'sdk/tsconfig.json', 'sdk/src'])
    await cp(join(root, name), join(checkout, name), { recursive: true });
  await mkdir(join(checkout, 'node_modules'));
  await writeFile(join(checkout, 'node_modules/.package-lock.json'), '{}\n');
  const npm = `echo "$* in '$npm_config_workspace'" > called; ln -s '${sdk}/node_modules' sdk/node_modules`;
  await writeFile(join(checkout, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = [checkout, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const { scripts } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'));
  await execute('sh', ['-c', scripts.prepack], {
    cwd: join(checkout, 'sdk'),
    env: { PATH: path, npm_config_workspace: 'sdk' },
    timeout: 120_000,
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
  const refusal = await bestow.gifts.retrieve('gift_0').catch((error) => error);
  const printed = {
    retrieved: (await bestow.orders.retrieve(order.order_id)).order_id === order.order_id && orders.includes(order.order_id),
    listed: ids.length === 3 && new Set(ids).size === 3,
    categories,
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
  const { AbortController, clearTimeout, crypto, fetch, Headers, performance, setTimeout, URL, URLSearchParams } =
    globalThis;
  const web = { AbortController, clearTimeout, crypto, fetch, Headers, performance, setTimeout, URL, URLSearchParams };
  const context = createContext(web);
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

/** Valid uses, and after each `@ts-expect-error` an invalid one. */
const types = `import { ApiError, Bestow, BestowError, type ErrorCode, type Gift, type NewOrder, type Order } from 'bestow-sdk';

const bestow = new Bestow('key', { baseUrl: 'http://localhost:3000', timeoutMs: 1000 });
export async function allowed(signal: AbortSignal) {
  const body: NewOrder = { gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'email', email: 'a@b.cd' } }] };
  const order: Order = await bestow.orders.create(body, { idempotencyKey: 'k', signal, timeoutMs: 5 });
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }] });
  await bestow.gifts.redirect('g', { method: 'phone', phone: '+12025550100' });
  await bestow.sandbox.deliver('g');
  await bestow.sandbox.deliver('g', { outcome: 'failed' }, { signal });
  for await (const gift of bestow.gifts.list({ limit: 5, ending_before: 'g' })) { const one: Gift = gift; void one; }
  for await (const { name } of bestow.categories.list()) name.toUpperCase();
  const { data, has_more }: { data: Order[]; has_more: boolean } = await bestow.orders.list().page();
  const status: 'processing' | 'processed' = order.status;
  return { data, has_more, status, deleted: (await bestow.sandbox.reset()).orders_deleted + 1 };
}
export function inspect(error: unknown): ErrorCode | string | undefined {
  if (error instanceof ApiError) {
    switch (error.type) {
      case 'invalid_request_error': case 'authentication_error': case 'insufficient_balance_error':
      case 'rate_limit_error': case 'api_error': return error.retryable ? error.code : error.docUrl;
      default: { const never: never = error.type; return never; }
    }
  }
  return error instanceof BestowError ? error.idempotencyKey : undefined;
}
export async function refused(error: ApiError) {
  // @ts-expect-error baseUrl is required
  new Bestow('key', {});
  // @ts-expect-error amounts are numbers
  await bestow.orders.create({ gifts: [{ amount: '1000', category: 'coffee', delivery: { method: 'link' } }] });
  // @ts-expect-error a link has no address
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link', email: 'a@b.cd' } }] });
  // @ts-expect-error the method is one of three
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'post' } }] });
  // @ts-expect-error a misspelt field
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'c', delivery: { method: 'link' }, personalisation: {} }] });
  // @ts-expect-error a gift is not redirected to a link
  await bestow.gifts.redirect('g', { method: 'link' });
  // @ts-expect-error there are two outcomes
  await bestow.sandbox.deliver('g', { outcome: 'lost' });
  // @ts-expect-error a read has no idempotency key
  await bestow.orders.retrieve('o', { idempotencyKey: 'k' });
  // @ts-expect-error a misspelt code
  if (error.code === 'insufficient_balanse') return;
  // @ts-expect-error not every gift has a link
  (await bestow.gifts.retrieve('g')).delivery.link.length;
}
`;

for (const [name, compiler] of [
  ['the TypeScript that the project uses', 'node_modules/typescript/bin/tsc'],
  ['TypeScript 5.9', 'sdk/node_modules/typescript/bin/tsc'],
] as const)
  test(`${name} accepts valid uses and refuses invalid ones, in both module kinds`, async () => {
    const strict = [
      '--strict',
      '--noUncheckedIndexedAccess',
      '--exactOptionalPropertyTypes',
      '--noUnusedLocals',
      '--noEmit',
    ];
    const platform = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    for (const file of ['types.mts', 'types.cts']) await writeFile(join(project, file), types);
    const args = [join(root, compiler), ...strict, ...platform, 'types.mts', 'types.cts'];
    await execute(process.execPath, args, { cwd: project, timeout: 60_000 }).catch(({ stdout, stderr }) =>
      assert.fail(`${stdout}${stderr}`),
    );
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
  assert.deepEqual([lines.at(-2), lines.at(-1)], ['2 false', 'claimed']);
});
