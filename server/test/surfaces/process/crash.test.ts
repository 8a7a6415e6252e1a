import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createApiClient, linkGift, listOrderIds } from '../../harness/api-client.ts';
import { processesOn } from '../../harness/end-processes.ts';
import { bestow, type Panel, serve, temporaryDirectory, until } from '../../harness/server-process.ts';

const postgresPid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** Sends orders on several connections until the server is gone; collects the acknowledged ones. */
async function sendOrders({ address, sandboxKey }: Panel, round: number, acknowledged: Map<string, string>) {
  const api = createApiClient(address, sandboxKey);
  const send = async (worker: number) => {
    for (let n = 0; ; n += 1) {
      const key = `${round}-${worker}-${n}`;
      const answer = await api.order([linkGift()], key).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 201) acknowledged.set(key, answer.body.order_id);
      // Orders of one balance meet; the others are not acknowledged and prove nothing.
      else assert.equal(answer.body.error.code, 'resource_locked');
    }
  };
  await Promise.all([send(1), send(2), send(3), send(4)]);
}

test('after kill -9 of server and PostgreSQL every acknowledged order exists once', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const acknowledged = new Map<string, string>();
  let server = serve(dataDir, { LOG_LEVEL: 'silent' });
  let panel = await server.ready();
  const { sandboxKey } = panel;
  for (const [round, withPostgres] of [false, true].entries()) {
    const before = acknowledged.size;
    const sent = sendOrders({ ...panel, sandboxKey }, round, acknowledged);
    await until(() => acknowledged.size >= before + 100, '100 orders');
    const pid = postgresPid(dataDir);
    server.signal('SIGKILL');
    if (withPostgres) process.kill(pid, 'SIGKILL');
    await Promise.all([sent, server.ended]);
    assert.ok(withPostgres || processesOn(dataDir).includes(pid));

    server = serve(dataDir, { LOG_LEVEL: 'silent' });
    panel = await server.ready();
    assert.equal(panel.sandboxKey, undefined);
    assert.equal(postgresPid(dataDir) === pid, !withPostgres);
    const api = createApiClient(panel.address, sandboxKey);
    const listed = await listOrderIds(api);
    assert.equal(new Set(listed).size, listed.length);
    const known = new Set(listed);
    assert.deepEqual(
      [...acknowledged.values()].filter((id) => !known.has(id)),
      [],
    );
    const [last] = [...acknowledged].slice(-1);
    const replay = await api.order([linkGift()], last?.[0]);
    assert.deepEqual([replay.status, replay.body.order_id], [200, last?.[1]]);
    const verified = await bestow(['ledger', 'verify', '--json'], { DATA_DIR: dataDir }).ended;
    assert.deepEqual([verified.code, verified.stderr], [0, ''], verified.stdout);
  }
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
  assert.deepEqual(processesOn(dataDir), []);
});
