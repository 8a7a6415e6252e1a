import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import typescript from '../node_modules/typescript/lib/typescript.js';
import { Bestow } from '../src/index.ts';
import { execute, type InstalledPackage, installPackage, root, sdk } from './installed-package.ts';

// The installed package in compilers, editors, bundlers and checkers.

let installed: InstalledPackage;
let project: string;
let packed: InstalledPackage['packed'];
let runProgram: InstalledPackage['runProgram'];

before(async () => {
  installed = await installPackage();
  ({ project, packed, runProgram } = installed);
});
after(() => installed.close());

/** Valid uses, and after each `@ts-expect-error` an invalid one. */
const types = `import { type Answer, ApiError, Bestow, BestowError, type BestowEvent, type ErrorCode, type Gift, type OrderInput, type Order, type Page, verifyWebhook, type With } from 'bestow-sdk';

declare const process_key: string | undefined;
const bestow = new Bestow('key', { baseUrl: 'http://localhost:3000', timeoutMs: 1000 });
export async function allowed(signal: AbortSignal) {
  const body: OrderInput = { gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'email', email: 'a@b.cd' } }] };
  const order: Order = await bestow.orders.create(body, { idempotencyKey: 'k', signal, timeoutMs: 5 });
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }] });
  await bestow.gifts.redirect('g', { method: 'phone', phone: '+12025550100' });
  await bestow.sandbox.deliver('g');
  await bestow.sandbox.deliver('g', { outcome: 'failed' }, { signal });
  for await (const gift of bestow.gifts.list({ limit: 5, ending_before: 'g' })) { const one: Gift = gift; void one; }
  for await (const { name } of bestow.categories.list()) name.toUpperCase();
  const { data, has_more }: { data: Order[]; has_more: boolean } = await bestow.orders.list().page();
  const status: 'processing' | 'processed' | (string & {}) = order.status;
  const { lastResponse, data: first }: Answer<Page<Gift>> = await bestow.gifts.list();
  const whole: With<Gift, 'history' | 'card'> = await bestow.gifts.retrieve('g', { expand: ['history', 'card'] });
  for await (const { gifts } of bestow.orders.list({ expand: ['history'] })) gifts[0]?.history.state.toUpperCase();
  const maybe: string | undefined = process_key;
  await bestow.orders.create({ gifts: body.gifts.map((gift) => ({ ...gift, personalization: { recipient_name: maybe } })), external_id: maybe });
  await bestow.webhookEndpoints.update('e', { url: maybe });
  void [lastResponse.isReplay, first, whole, new Bestow(process_key, { baseUrl: 'http://localhost:3000' })];
  return { data, has_more, status, deleted: (await bestow.sandbox.reset()).orders_deleted + 1 };
}
export function inspect(error: unknown): ErrorCode | string | undefined {
  if (error instanceof ApiError) {
    switch (error.type) {
      case 'invalid_request_error': case 'authentication_error': case 'insufficient_balance_error':
      case 'rate_limit_error': case 'api_error': return error.retryable ? error.code : error.docUrl;
      default: { const later: string = error.type; return later; }
    }
  }
  return error instanceof BestowError ? error.idempotencyKey : undefined;
}
export function told(event: BestowEvent): string | number | undefined {
  const giftId: string | undefined = event.data.gift_id;
  switch (event.type) {
    case 'gift.spent': return event.data.purchase.amount + event.data.gift_id.length;
    case 'order.canceled': return event.data.cancellation.refunded;
    case 'sandbox.reset': return giftId;
    default: { const later: string = event.type; return later; }
  }
}
export async function pushed(body: Uint8Array, headers: Headers): Promise<string> {
  const event = await verifyWebhook(body, headers, 'whsec_');
  if (event.type === 'gift.claimed') return event.data.delivery.status;
  return event.type === 'webhook.test' ? 'a try' : event.timestamp;
}
export async function refused(error: ApiError, event: BestowEvent) {
  // @ts-expect-error a claim has no purchase
  if (event.type === 'gift.claimed') event.data.purchase.amount.toFixed();
  // @ts-expect-error an endpoint has one of two statuses
  await bestow.webhookEndpoints.update('e', { status: 'paused' });
  // @ts-expect-error a contact needs a delivery
  await bestow.contacts.save({ name: 'Ada' });
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
  // @ts-expect-error a misspelt option
  new Bestow('key', { baseUrl: 'http://localhost:3000', timeout: 5 });
  // @ts-expect-error a misspelt parameter
  bestow.gifts.list({ startingAfter: 'g' });
  // @ts-expect-error a part that was not asked for
  (await bestow.gifts.retrieve('g', { expand: ['card'] })).history;
  // @ts-expect-error an unknown part
  await bestow.gifts.retrieve('g', { expand: ['histroy'] });
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
    await execute(process.execPath, args, { cwd: project }).catch(({ stdout, stderr }) =>
      assert.fail(`${stdout}${stderr}`),
    );
  });

for (const [name, compiler] of [
  ['the TypeScript that the project uses', 'node_modules/typescript/bin/tsc'],
  ['TypeScript 5.9', 'sdk/node_modules/typescript/bin/tsc'],
] as const)
  test(`${name} needs neither @types/node nor the library dom`, async () => {
    const text = `import { Bestow } from 'bestow-sdk';
import { FakeBestow } from 'bestow-sdk/fake';
import { FolderStore } from 'bestow-sdk/folder-store';
const bestow = new Bestow('key', { baseUrl: 'http://localhost', store: new FolderStore('kept') });
export const { headers = {} } = new FakeBestow({ balance: 0 }).pushes[0] ?? {};
for (const { error } of await bestow.orders.resume()) if (error) throw error;
export const date = (await bestow.balance.retrieve()).lastResponse.headers.get('Date');
`;
    await writeFile(join(project, 'bare.mts'), text);
    await compile(compiler, ['--exactOptionalPropertyTypes', '--module', 'nodenext', '--lib', 'es2022', 'bare.mts']);
  });

/** Runs a compiler in the project; fails with what it says. */
async function compile(compiler: string, args: string[]): Promise<void> {
  const program = [join(root, compiler), '--strict', '--noEmit', '--target', 'es2022', ...args];
  await execute(process.execPath, program, { cwd: project }).catch(({ stdout, stderr }) =>
    assert.fail(`${stdout}${stderr}`),
  );
}

test('the types of events are those of real events', async () => {
  const { service } = installed;
  const { keys } = await service.organization();
  const key = keys.sandbox;
  const bestow = new Bestow(key, { baseUrl: service.url });
  const to = (name: string) => ({ method: 'email' as const, email: `${name}@sandbox.gift.test` });
  const names = ['someone', 'delivery-failed', 'opened', 'claimed', 'spent'];
  const gifts = names.map((name) => ({ amount: 1000, category: 'coffee', delivery: to(name) }));
  const order = await bestow.orders.create({ gifts });
  const failed = order.gifts[1]?.gift_id ?? '';
  await bestow.gifts.redirect(failed, to('other'));
  await bestow.sandbox.deliver(failed);
  await bestow.gifts.cancel(failed, { reason: 'Ordered twice' });
  await bestow.orders.cancel(order.order_id);
  await bestow.orders.create({ gifts: [{ amount: 1000, category: 'coffee', delivery: to('processing') }] });
  const { data } = await bestow.events.list({ limit: 1000 });
  const types = new Set(data.map(({ type }) => type));
  assert.ok(types.size >= 9, [...types].join());
  const text = `import type { BestowEvent } from 'bestow-sdk';
type Known<Event extends { type: string }> = Exclude<Event, { type: \`\${string} of a later version\` }>;
export const events: Known<BestowEvent>[] = ${JSON.stringify(data, null, 1)};
`;
  await writeFile(join(project, 'events.mts'), text);
  await compile('node_modules/typescript/bin/tsc', ['--module', 'nodenext', '--lib', 'es2022,dom', 'events.mts']);
});

test('the package resolves for programs that compile as five years ago', async () => {
  await writeFile(join(project, 'old.ts'), types);
  const old = ['--module', 'commonjs', '--moduleResolution', 'node10', '--lib', 'es2022,dom'];
  await compile('sdk/node_modules/typescript/bin/tsc', [...old, 'old.ts']);
});

test('publint and attw find nothing', async () => {
  const options = { cwd: project, env: { ...process.env, NO_COLOR: '1' } };
  for (const [command, args] of [
    ['publint', ['run', packed.filename, '--strict']],
    ['attw', [packed.filename]],
  ] as const)
    await execute(join(root, 'node_modules/.bin', command), args, options).catch(({ stdout }) => assert.fail(stdout));
});

test('an editor shows documentation on answers, options and fields', () => {
  const file = join(project, 'hover.mts');
  const text = `import { Bestow } from 'bestow-sdk';
const bestow = new Bestow('key', { baseUrl: 'http://localhost' });
const order = await bestow.orders.create({ gifts: [{ amount: 1, category: 'c', delivery: { method: 'link' } }] }, { idempotencyKey: 'k' });
order.status;
`;
  const host: typescript.LanguageServiceHost = {
    ...typescript.sys,
    getCompilationSettings: () => ({ module: typescript.ModuleKind.NodeNext, target: typescript.ScriptTarget.ES2022 }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : typescript.sys.readFile(name);
      return content === undefined ? undefined : typescript.ScriptSnapshot.fromString(content);
    },
    useCaseSensitiveFileNames: () => true,
    getCurrentDirectory: () => project,
    getDefaultLibFileName: typescript.getDefaultLibFilePath,
    fileExists: (name) => name === file || typescript.sys.fileExists(name),
  };
  const service = typescript.createLanguageService(host);
  const hover = (words: string) => {
    const info = service.getQuickInfoAtPosition(file, text.indexOf(words) + words.length - 1);
    const shown = (parts: typescript.SymbolDisplayPart[] | undefined) => parts?.map((part) => part.text).join('');
    return `${shown(info?.displayParts)}\n${shown(info?.documentation)}${info?.tags?.map(({ text }) => shown(text)).join('')}`;
  };
  assert.match(
    hover('orders.create'),
    /body: OrderInput, options\?: ActOptions & Expand<\[\]>\) => Promise<Answer<Order>>\nBuys 1 to 10/,
  );
  assert.match(hover('order.status'), /Known values: `processing`/);
  assert.match(hover('idempotencyKey'), /1 to 255 printable/);
  assert.match(hover('amount'), /from 1000 to 50000/);
});

test('a minified bundle is small and keeps the names of errors', async () => {
  await writeFile(join(project, 'bundled.js'), `export { Bestow, InvalidRequestError } from 'bestow-sdk';\n`);
  const build = await rolldown({ input: join(project, 'bundled.js'), cwd: project });
  const { output } = await build.generate({ minify: true });
  const { code } = output[0];
  await writeFile(join(project, 'minified.mjs'), code);
  const program = `import { Bestow, InvalidRequestError } from './minified.mjs';
const bestow = new Bestow('key', { baseUrl: process.env.BASE_URL });
const error = await bestow.orders.retrieve('ord_0').catch((error) => error);
console.log(error.name, error instanceof InvalidRequestError);`;
  assert.equal(await runProgram('minified-run.mjs', program, ''), 'AuthenticationError false\n');
  const bytes = gzipSync(code).length;
  assert.ok(bytes < 9_100, `${bytes} bytes`);
});

test('the TypeScript samples of the documentation compile strictly', async () => {
  const files: string[] = [];
  for (const page of [...globSync('docs/*.md', { cwd: root }), 'README.md']) {
    const samples = [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)];
    for (const [index, [, text = '']] of samples.entries()) {
      files.push(`${basename(page, '.md')}-${index}.mts`);
      await writeFile(join(project, files.at(-1) ?? ''), text);
    }
  }
  const readme = [...readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)];
  await writeFile(join(project, 'readme-all.mts'), readme.map(([, text]) => text).join('\n'));
  assert.ok(files.length >= 8, `${files.length} samples`);
  await symlink(join(root, 'server'), join(project, 'node_modules/bestow'));
  const platform = ['--module', 'nodenext', '--lib', 'es2022,dom,esnext.disposable', '--skipLibCheck'];
  const node = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  await compile('node_modules/typescript/bin/tsc', [...platform, ...node, ...files, 'readme-all.mts']);
});
