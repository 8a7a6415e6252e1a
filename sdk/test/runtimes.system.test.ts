import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { installRuntimes } from './install-runtimes.ts';
import { execute, type InstalledPackage, installPackage } from './installed-package.ts';

// The installed client in Workers and in Next.js. Bun and Deno run the whole table of faults (faults.system.test.ts).

const here = (name: string) => fileURLToPath(new URL(`runtimes/${name}`, import.meta.url));
let installed: InstalledPackage;
let project: string;
let modules: string;
let url: string;
let balance = 0;
const asked: string[] = [];
/** Each answer has another balance, and any cache may keep it. */
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  balance += 1;
  response.setHeader('Cache-Control', 'public, max-age=31536000').setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ object: 'balance', available: balance, currency: 'USD', order_id: 'ord_1' }));
});

before(async () => {
  installed = await installPackage();
  ({ project } = installed);
  modules = await installRuntimes();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await installed.close();
});

async function closedPort(): Promise<number> {
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  return port;
}

interface Told {
  name?: string;
  outcomeUnknown?: boolean;
  pauseMs: number;
  available?: number;
}

for (const compatibilityDate of ['2022-11-30', '2024-06-01', '2026-04-01'])
  test(`in Workers of ${compatibilityDate} the client works, and a wrong address is told soon`, async () => {
    await cp(here('worker.js'), join(project, 'worker.js'));
    const build = await rolldown({ input: join(project, 'worker.js'), cwd: project });
    const { output } = await build.generate({ format: 'esm' });
    const { Miniflare } = createRequire(join(modules, 'x'))('miniflare');
    const worker = new Miniflare({ modules: true, script: output[0].code, compatibilityDate, handleRuntimeStdio() {} });
    try {
      const addresses = [url, `http://127.0.0.1:${await closedPort()}`, 'https://no-such-host.invalid'];
      const request = { method: 'POST', body: JSON.stringify({ addresses }) };
      const answer: Response = await worker.dispatchFetch('http://worker/', request);
      const [right, ...wrong] = (await answer.json()) as Told[];
      assert.deepEqual([right?.name, typeof right?.available], [undefined, 'number']);
      for (const { name, outcomeUnknown, pauseMs } of wrong) {
        // Workers do not say whether anything was sent.
        assert.deepEqual([name, outcomeUnknown], ['ConnectionError', true]);
        assert.ok(pauseMs < 4_000, `two calls paused for ${pauseMs} ms`);
      }
    } finally {
      await worker.dispose();
    }
  });

for (const [name, cachesComponents] of [
  ['as it is', '0'],
  ['with cached components', '1'],
] as const)
  test(`Next.js ${name} reads the balance anew for each visitor`, async () => {
    const app = join(project, `next-${name.replaceAll(' ', '-')}`);
    await cp(here('next'), app, { recursive: true });
    await symlink(modules, join(app, 'node_modules'));
    const next = join(modules, '.bin/next');
    const env = {
      ...process.env,
      BESTOW_URL: url,
      BESTOW_KEY: 'key',
      NEXT_TELEMETRY_DISABLED: '1',
      BESTOW_CACHE_COMPONENTS: cachesComponents,
    };
    asked.length = 0;
    await execute(next, ['build'], { cwd: app, env });
    assert.deepEqual(asked, []);
    const port = await closedPort();
    const running = spawn(next, ['start', '-p', `${port}`], { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(running.stdout, 'data');
      const seen: string[] = [];
      for (let visit = 0; visit < 3; visit += 1) {
        const page = await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
        seen.push(/<b>(\d+)<\/b>/.exec(page.replaceAll('<!-- -->', ''))?.[1] ?? page);
      }
      assert.equal(new Set(seen).size, 3, seen.join());
    } finally {
      running.kill();
      await once(running, 'close');
    }
  });
