import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { go, missingGo } from './go-command.ts';
import { runtimePrograms } from './install-runtimes.ts';
import { execute } from './installed-package.ts';
import { findPythons } from './python-environment.ts';
import { testWhere } from './test-where.ts';

// The clients as customers get them: installed from the addresses of a service into an empty folder, in each version of
// their runtime that this machine has.

let service: TestService;
let folder: string;
let sums: Map<string, string>;

before(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'bestow-served-'));
  const text = await fetch(`${service.url}/sdk/SHA256SUMS`).then((answer) => answer.text());
  sums = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  ').reverse() as [string, string]),
  );
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const served = (end: string) =>
  [...sums.keys()].find((name) => name.endsWith(end)) ?? assert.fail(`${end} is not served`);

/** Places an order with a program, which prints its id. */
async function order(command: string, args: string[], cwd: string): Promise<void> {
  const { keys, sandbox } = await service.organization();
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    BESTOW_KEY: keys.sandbox,
    BESTOW_URL: service.url,
  };
  const { stdout } = await execute(command, args, { cwd, env });
  assert.equal((await sandbox.get(`/v1/orders/${stdout.trim()}`)).status, 200);
}

test('every package is served under its version, as SHA256SUMS says, and with its changelog', async () => {
  assert.deepEqual([...sums.keys()].map((name) => name.replace(/\d+\.\d+\.\d+/, '1.2.3')).sort(), [
    'bestow-sdk-1.2.3.tgz',
    'bestow_sdk-1.2.3-py3-none-any.whl',
    'bestow_sdk-1.2.3.tar.gz',
    'go/bestow.example/bestow/@v/v1.2.3.zip',
  ]);
  for (const [name, sum] of sums) {
    const content = await fetch(`${service.url}/sdk/${name}`).then((answer) => answer.arrayBuffer());
    assert.equal(createHash('sha256').update(Buffer.from(content)).digest('hex'), sum, name);
  }
  for (const language of ['typescript', 'python', 'go'])
    assert.match(await fetch(`${service.url}/sdk/CHANGELOG-${language}.md`).then((answer) => answer.text()), /^## \d/m);
  for (const missing of ['', 'nothing', '..%2F..%2Fpackage.json', 'go/../../index.html'])
    assert.equal((await fetch(`${service.url}/sdk/${missing}`)).status, 404, missing);
});

for (const node of (await runtimePrograms()).nodes)
  test(`npm’s package works in ${node}`, async () => {
    const cwd = await mkdtemp(join(folder, 'npm-'));
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
    await execute('npm', ['install', '--no-audit', '--no-fund', `${service.url}/sdk/${served('.tgz')}`], { cwd });
    await writeFile(
      join(cwd, 'order.js'),
      `import { Bestow } from 'bestow-sdk';
import { FakeBestow } from 'bestow-sdk/fake';
const body = { gifts: [{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }] };
await new FakeBestow().orders.create(body);
const { order_id } = await new Bestow().orders.create(body);
console.log(order_id);
`,
    );
    await order(node, ['order.js'], cwd);
  });

for (const { version, file } of await findPythons())
  for (const end of ['.whl', '.tar.gz'])
    test(`the ${end} works in Python ${version}`, async () => {
      const cwd = await mkdtemp(join(folder, 'python-'));
      await execute(file, ['-m', 'venv', '.'], { cwd });
      const install = ['install', '-q', '--disable-pip-version-check', `${service.url}/sdk/${served(end)}`];
      await execute(join(cwd, 'bin/pip'), install, { cwd });
      await writeFile(
        join(cwd, 'order.py'),
        `from bestow_sdk import Bestow
from bestow_sdk.fake import FakeBestow

gift = {"amount": 1000, "category": "coffee", "delivery": {"method": "link"}}
FakeBestow().orders.create(gifts=[gift])
with Bestow() as bestow:
    print(bestow.orders.create(gifts=[gift])["order_id"])
`,
      );
      await order(join(cwd, 'bin/python'), ['order.py'], cwd);
    });

/** A directory that Go takes for a proxy, with one module of others. */
async function proxyOfOthers(): Promise<string> {
  const source = await mkdtemp(join(folder, 'other-'));
  const versions = join(folder, 'proxy/other.example/greeting/@v');
  const module = 'module other.example/greeting\n\ngo 1.23\n';
  await writeFile(join(source, 'go.mod'), module);
  await writeFile(join(source, 'greeting.go'), 'package greeting\n\nconst Text = "Hello"\n');
  const git = async (...args: string[]) => (await execute('git', args, { cwd: source })).stdout.trim();
  await git('init', '-q');
  await git('add', '.');
  await mkdir(versions, { recursive: true });
  const prefix = '--prefix=other.example/greeting@v1.0.0/';
  await git('archive', '--format=zip', prefix, `--output=${join(versions, 'v1.0.0.zip')}`, await git('write-tree'));
  await writeFile(join(versions, 'v1.0.0.mod'), module);
  await writeFile(join(versions, 'v1.0.0.info'), '{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}');
  await writeFile(join(versions, 'list'), 'v1.0.0\n');
  return `file://${join(folder, 'proxy')}`;
}

testWhere(missingGo())('the module works in Go, beside a module of another proxy', async () => {
  const cwd = await mkdtemp(join(folder, 'go-'));
  await writeFile(join(cwd, 'go.mod'), 'module shop.example/order\n\ngo 1.23\n');
  await writeFile(
    join(cwd, 'main.go'),
    `package main

import (
	"context"
	"fmt"
	"log"

	"bestow.example/bestow"
	_ "bestow.example/bestow/bestowtest"
	"other.example/greeting"
)

func main() {
	log.Print(greeting.Text)
	client, err := bestow.New(bestow.Options{})
	if err != nil {
		log.Fatal(err)
	}
	gift := bestow.GiftInput{Amount: 1000, Category: "coffee", Delivery: bestow.ByLink()}
	order, err := client.Orders.Create(context.Background(), bestow.OrderInput{Gifts: []bestow.GiftInput{gift}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.OrderID)
}
`,
  );
  const [, version = ''] = /@v\/(v.*)\.zip$/.exec(served('.zip')) ?? [];
  const variables = {
    cwd,
    proxy: `${service.url}/sdk/go,${await proxyOfOthers()}`,
    // The database of sums knows neither; that of the documents leaves out ours only.
    GONOSUMDB: 'bestow.example,other.example',
    GOMODCACHE: join(cwd, 'modules'),
  };
  await go('go', ['get', `bestow.example/bestow@${version}`], variables);
  await go('go', ['mod', 'tidy', '-modcacherw'], variables);
  await go('go', ['build', '-modcacherw', '-o', 'order', '.'], variables);
  await order(join(cwd, 'order'), [], cwd);
});
