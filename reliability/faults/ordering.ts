import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bestow } from '../../sdk/src/index.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { bestow, freePort } from '../../server/test/harness/server-process.ts';

/** A service on a PostgreSQL of the fault's own, and a client that orders all the time and keeps what it was answered. */

const ORDER_EVERY_MS = 100;
const CODES = ['CODE-ONE', 'CODE-TWO', 'CODE-THREE'];

/** @param directory for its files */
export async function installOn(DATABASE_URL: string, directory: string) {
  const port = await freePort();
  const variables = {
    DATABASE_URL,
    LINK_SECRET: 'a link secret that outlives every failover',
    PORT: `${port}`,
    LOG_LEVEL: 'error',
    HISTORY_FILE: join(directory, 'history.json'),
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_ADDRESS_BURST: '100000',
  };
  const run = async (...args: string[]) => await bestow(args, variables).ended;
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    if (code !== 0) throw new Error(`bestow ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  await run('migrate');
  await done('catalog', 'add-built-in');
  const { organization_id: org } = await done('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.example');
  const of = ['--org', org, '--environment', 'live'];
  const { key } = await done('key', 'create', ...of, '--name', 'shop');
  await done('balance', 'add', ...of, '--amount', '1000000', '--reference', 'first');
  await done('issuer', 'add', 'codes', '--org', org, '--category', 'coffee');
  const file = join(directory, 'codes.csv');
  await writeFile(file, `value,code,shop\n${CODES.map((code) => `25.00,${code},Shop\n`).join('')}`);
  await done('issuer', 'upload', file, '--org', org, '--category', 'coffee');
  const server = bestow(['serve'], variables);
  await server.ready();
  const close = async () => {
    server.signal('SIGTERM');
    await server.ended;
  };
  return { url: `http://127.0.0.1:${port}`, key, run, close };
}

/** Places orders with a key of their own each, as the SDK does, until it is told to stop. */
export function orderAlways(url: string, key: string) {
  const client = new Bestow(key, { baseUrl: url, maxRetries: 8 });
  const answered = new Map<string, string>();
  const underWay = new Set<Promise<void>>();
  let refused = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const idempotencyKey = randomUUID();
      const own = client.orders
        .create({ gifts: [linkGift()] as never }, { idempotencyKey })
        .then(
          ({ order_id }) => void answered.set(idempotencyKey, order_id),
          () => {
            refused += 1;
          },
        )
        .finally(() => underWay.delete(own));
      underWay.add(own);
      await sleep(ORDER_EVERY_MS);
    }
    await Promise.all(underWay);
  })();
  return {
    answered,
    refused: () => refused,
    async stop() {
      isOver = true;
      await loop;
    },
  };
}
