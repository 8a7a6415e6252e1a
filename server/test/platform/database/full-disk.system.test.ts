import assert from 'node:assert/strict';
import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { openSmallDisk } from '../../../../reliability/faults/disk-full.ts';
import { examine } from '../../../src/surfaces/doctor/examine.ts';
import { linkGift } from '../../harness/api-client.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { createTestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, testConfig } from '../../harness/test-service.ts';

const DISK_MB = 64;
const isRoot = process.getuid?.() === 0;

test('a full disk shows in readyz, metrics, doctor and answers, and ends', { skip: !isRoot }, async (t) => {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const disk = await openSmallDisk(DISK_MB);
  ends.push(disk.close);
  const database = await createTestDatabase();
  const { database: name = '', host = '', ...server } = database.target;
  const admin = new Client({ ...server, host, database: 'postgres' });
  await admin.connect();
  ends.push(() => admin.end());
  const directory = join(disk.path, 'space');
  await mkdir(directory);
  const { uid, gid } = await stat(host);
  await chown(directory, uid, gid);
  await admin.query(`create tablespace disk_${name} location '${directory}'`);
  ends.push(() => admin.query(`drop tablespace disk_${name}`), database.drop);
  await admin.query(`alter database ${name} set tablespace disk_${name}`);
  const service = await startTestServiceOn(database, { METRICS_PORT: '0' });
  ends.push(service.close, disk.free);
  await service.addCategory('coffee');
  const organization = await service.organization();
  const { deps, metricsAddress } = service.service;
  const found = async () => ({
    ready: await (await fetch(`${service.url}/readyz`)).json(),
    up: (await scrape(metricsAddress() ?? assert.fail()))['bestow_database_up'],
    doctor: (await Array.fromAsync(examine(testConfig(), deps.database, service.clock))).find(
      ({ check }) => check === 'a write',
    )?.state,
  });
  const isFound = (expected: unknown) =>
    until(async () => isDeepStrictEqual(await found(), expected), JSON.stringify(expected));
  await isFound({ ready: { status: 'ok' }, up: 1, doctor: 'ok' });

  await disk.fill();
  await isFound({ ready: { status: 'unavailable', reasons: ['database_full'] }, up: 0, doctor: 'fault' });
  let refused = 0;
  // Pages have some room left.
  for (let n = 0; refused === 0; n += 1) {
    const answer = await organization.sandbox.order([linkGift()], `full-${n}`);
    if (answer.status === 201) continue;
    refused = n;
    assertRefused(answer, 'internal_error');
  }
  assert.equal((await organization.sandbox.get('/v1/orders')).status, 200);

  await disk.free();
  await isFound({ ready: { status: 'ok' }, up: 1, doctor: 'ok' });
  assert.equal((await organization.sandbox.order([linkGift()], `full-${refused}`)).status, 201);
});
