import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { type FaultyProxy, startFaultyProxy } from '../faults/faulty-proxy.ts';
import { addresses, belowHttp, type Row, rowFor, wire } from '../faults/rows.ts';
import { clients, makeCalls } from './client-drivers.ts';
import { testWhere } from './test-where.ts';

// One table of faults for the clients of every language, between each client and a real service.

interface Told {
  id: string;
  result: 'ok' | 'error';
  error?: string;
  code?: string;
  status?: number;
  message?: string;
  attempts?: number;
  is_replay?: boolean;
  outcome_unknown?: boolean;
  idempotency_key?: string;
  pauses_ms: number[];
}

const rows = [...wire, ...addresses, ...belowHttp];

let service: TestService;
let proxy: FaultyProxy;
let places: Record<string, string>;
const closing: (() => Promise<unknown>)[] = [];

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** A server whose certificate no client trusts. */
async function startSelfSigned(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-faults-'));
  closing.push(() => rm(directory, { recursive: true }));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }));
}

before(async () => {
  service = await startTestService();
  proxy = await startFaultyProxy(service.url, new Map(rows.map(({ name, steps = [] }) => [name, steps])));
  closing.push(proxy.close, () => service.close());
  const closed = createServer();
  const closedPort = await listen(closed);
  await closing.pop()?.();
  places = {
    closed: `http://127.0.0.1:${closedPort}`,
    'self-signed': `https://127.0.0.1:${await startSelfSigned()}`,
    'https-to-plain': service.url.replace('http:', 'https:'),
    'service/nowhere': `${service.url}/nowhere`,
  };
});
after(async () => {
  for (const close of closing.reverse()) await close();
});

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
/** What no retry can cure is reported within two seconds of pauses. */
const WRONG_ADDRESS_MS = 2_000;

function compare(row: Row, told: Told | undefined, key: string, retriesItself = false): void {
  assert.ok(told, 'nothing was told');
  const text = JSON.stringify(told);
  assert.equal(told.result === 'ok' ? 'ok' : told.error, row.result, text);
  const facts =
    told.result === 'ok' ? (['attempts'] as const) : (['attempts', 'code', 'status', 'outcome_unknown'] as const);
  for (const name of facts)
    if (row[name] !== undefined && !(retriesItself && name === 'attempts'))
      assert.equal(told[name], row[name], `${name}: ${text}`);
  assert.ok((told.attempts ?? 1) <= (row.attempts ?? Number.POSITIVE_INFINITY), text);
  if (row.is_replay !== undefined && !retriesItself) assert.equal(told.is_replay, row.is_replay, text);
  if (row.first_pause_ms !== undefined) assert.ok((told.pauses_ms[0] ?? 0) >= row.first_pause_ms, text);
  if (addresses.some(({ name }) => name === row.name)) assert.ok(sum(told.pauses_ms) < WRONG_ADDRESS_MS, text);
  if (told.result === 'error' && (row.call ?? 'order').startsWith('order'))
    assert.equal(told.idempotency_key, key, text);
}

for (const { name: client, command, retriesItself } of clients)
  describe(`the client of ${client}`, () => {
    let told: Map<string, Told>;
    let requests: Map<string, number>;
    let order: Awaited<ReturnType<TestService['organization']>>;
    const keyOf = ({ name }: Row) => `${client}-${name}`;

    before(async () => {
      if (command === undefined) return;
      order = await service.organization({ sandbox: 1_000_000 });
      proxy.requests.clear();
      const claimable = (await order.sandbox.order(rows.map(() => linkGift()).slice(0, 10))).body.gifts;
      const calls = rows.map((row, index) => ({
        id: row.name,
        base_url: row.address === undefined ? proxy.urlOf(row.name) : (places[row.address] ?? row.address),
        key: order.keys.sandbox,
        call: row.call ?? 'order',
        options: row.options,
        idempotency_key: keyOf(row),
        abort_after_ms: row.abort_after_ms,
        gift_id: claimable[index % 10]?.gift_id,
        body: {
          external_id: keyOf(row),
          gifts: [
            { amount: 1000, category: 'coffee', delivery: { method: 'email', email: row.to ?? 'ada@example.com' } },
          ],
        },
      }));
      told = await makeCalls<Told>(command, calls);
      requests = new Map(proxy.requests);
    });

    for (const row of rows)
      testWhere(command === undefined && `${client} is not on this machine.`)(row.name, async () => {
        const expected = rowFor(row, client);
        const result = told.get(row.name);
        compare(expected, result, keyOf(row), retriesItself);
        if (row.steps && !retriesItself) assert.equal(result?.attempts, requests.get(row.name));
        assert.ok(!proxy.redirected.has(row.name), 'the redirect was followed');
        if (!(row.call ?? 'order').startsWith('order')) return;
        const { body } = await order.sandbox.get(`/v1/orders?external_id=${encodeURIComponent(keyOf(row))}`);
        const orders: number = body.data.length;
        if (expected.orders !== undefined) assert.equal(orders, expected.orders);
        const isPlaced = result?.result === 'ok' || result?.outcome_unknown === true;
        assert.ok(orders <= (isPlaced ? 1 : 0), `${orders} orders: ${JSON.stringify(result)}`);
      });
  });
