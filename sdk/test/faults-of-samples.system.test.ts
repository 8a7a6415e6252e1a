import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf } from '../../server/test/harness/document-samples.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { type FaultyProxy, startFaultyProxy } from '../faults/faulty-proxy.ts';
import { belowHttp, type Row, rowFor, wire } from '../faults/rows.ts';
import type { Step } from '../faults/steps.ts';
import { execute, root } from './installed-package.ts';
import { testWhere } from './test-where.ts';

// The programs that the pages of languages, Go and Python show, without a client: those that order with the faults that
// have an answer, and the loop for events over a restart.

/** The programs have their own limits of time, and no classes of errors. */
const rows = [...wire.filter(({ result }) => result === 'ok'), ...belowHttp]
  .map((row) => rowFor(row, 'Sample'))
  .filter(({ call, options, result }) => call === undefined && options === undefined && result !== 'not run');
/** Programs that run at once. */
const AT_ONCE = 12;
const RESTART: Step[] = [
  'cut',
  { status: 502, html: true },
  { status: 429, html: true, headers: { 'retry-after': '2' } },
  { status: 302, headers: { location: 'http://localhost:{port}/elsewhere' } },
  { status: 200, text: [{ text: '[', times: 200_000 }] },
  'forward-half',
  'forward',
];

const blocks = ['languages', 'go', 'python'].flatMap((page) =>
  blocksOf(readFileSync(join(root, `docs/${page}.md`), 'utf8')),
);
const sampleIn = (language: string) =>
  blocks.find((block) => block.language === language && block.text.includes('/v1/'))?.text ?? assert.fail(language);

/** How a sample's program is made, with its address from the environment, and run. */
const LANGUAGES = {
  py: {
    needs: 'python3',
    address: (text: string) =>
      text.replace(
        /f?"http:\/\/localhost:3000/,
        (start) => `os.environ["BESTOW_URL"] + ${start.startsWith('f') ? 'f' : ''}"`,
      ),
    async make(_directory: string, file: string) {
      // A shim of pyenv takes longer than the program.
      const found = await execute('python3', ['-c', 'import sys; print(sys.executable)'], { cwd: root });
      return [found.stdout.trim(), file];
    },
  },
  go: {
    needs: 'go',
    address: (text: string) => text.replace('"http://localhost:3000', 'os.Getenv("BESTOW_URL")+"'),
    async make(directory: string, file: string) {
      await execute('go', ['build', '-o', join(directory, 'sample'), file], { cwd: directory, env: process.env });
      return [join(directory, 'sample')];
    },
  },
  php: {
    needs: 'php',
    address: (text: string) => text.replace("'http://localhost:3000", "getenv('BESTOW_URL') . '"),
    async make(_directory: string, file: string) {
      return ['php', file];
    },
  },
  rb: {
    needs: 'ruby',
    address: (text: string) => text.replace('"http://localhost:3000', 'ENV["BESTOW_URL"] + "'),
    async make(_directory: string, file: string) {
      return ['ruby', file];
    },
  },
};

let service: TestService;
let proxy: FaultyProxy;
let directory: string;

before(async () => {
  service = await startTestService();
  directory = await mkdtemp(join(tmpdir(), 'bestow-samples-'));
});
after(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});

for (const language of ['py', 'go', 'php', 'rb'] as const) {
  const { needs } = LANGUAGES[language];
  const isMissing = spawnSync('which', [needs]).status !== 0;
  describe(`the program in ${language}`, () => {
    const outcomes = new Map<string, { printed: string; orders: number; attempts: number | undefined }>();

    async function outcomeOf({ name }: Row, [command = '', ...args]: string[]) {
      const { keys, sandbox } = await service.organization();
      const env = { PATH: process.env['PATH'], KEY: keys.sandbox, BESTOW_URL: proxy.urlOf(name) };
      // A program without an answer fails and prints nothing; one that hangs prints so.
      const ran = await execute(command, args, { cwd: directory, env }).catch((error: { stdout: string }) => error);
      const orders: number = (await sandbox.get('/v1/orders')).body.data.length;
      outcomes.set(name, { printed: ran.stdout, orders, attempts: proxy.requests.get(name) });
    }

    before(async () => {
      if (isMissing) return;
      const { address, make } = LANGUAGES[language];
      proxy = await startFaultyProxy(service.url, new Map(rows.map(({ name, steps = [] }) => [name, steps])));
      const file = join(directory, `languages.${language}`);
      await writeFile(file, address(sampleIn(language)).replace('response-lost@', 'ada@'));
      const command = await make(directory, file);
      const left = [...rows];
      const runLeft = async () => {
        for (let row = left.shift(); row; row = left.shift()) await outcomeOf(row, command);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runLeft));
    });
    after(() => proxy?.close());

    for (const { name, result, orders, attempts } of rows)
      testWhere(isMissing && `${needs} is not on this machine.`)(
        `${name}: the order is placed once at most`,
        async () => {
          const outcome = outcomes.get(name);
          const printed = JSON.parse(outcome?.printed || 'null');
          assert.deepEqual(printed, result === 'ok' ? { status: 'processed', gifts: 1 } : null);
          assert.equal(outcome?.orders, orders);
          assert.ok(!proxy.redirected.has(name), 'the redirect was followed');
          // Below HTTP each language reads more or less.
          if (wire.some((row) => row.name === name)) assert.equal(outcome?.attempts, attempts);
        },
      );
  });
}

test('the loop for events survives a restart and what a gateway says meanwhile', async () => {
  const { keys, sandbox } = await service.organization();
  const proxied = await startFaultyProxy(service.url, new Map([['events', RESTART]]));
  try {
    const delivery = { method: 'email', email: 'claimed@sandbox.gift.test' };
    await sandbox.order([{ amount: 1000, category: 'coffee', delivery }]);
    const file = join(directory, 'events.py');
    await writeFile(file, LANGUAGES.py.address(sampleIn('python')));
    const env = { PATH: process.env['PATH'], KEY: keys.sandbox, BESTOW_URL: proxied.urlOf('events') };
    const { stdout } = await execute('python3', [file], { cwd: directory, env });
    assert.match(stdout, /gift\.claimed gift_\w+\n$/);
    assert.equal(proxied.requests.get('events'), RESTART.length);
    assert.ok(!proxied.redirected.has('events'));
  } finally {
    await proxied.close();
  }
});
