import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Checkpoint,
  parseCheckpoint,
  printCheckpoint,
  takeCheckpoint,
} from '../../../src/capabilities/seals/checkpoint.ts';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { verifyAudit } from '../../../src/capabilities/seals/verify-audit.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { listAuditEvents } from '../../../src/surfaces/audit-log.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const deps = () => service.service.deps;

/** The faults by their checks and rows. */
async function faults(checkpoint: Checkpoint[] = []) {
  const culprits = [
    ...(await verifyLedger(deps(), checkpoint)).culprits,
    ...(await verifyAudit(deps(), checkpoint)).culprits,
  ];
  return culprits.map(({ check, subject_id }) => `${check}: ${subject_id}`);
}

/** An organization with sealed entries and events in both environments. */
async function sealed() {
  const organization = await service.organization();
  for (const client of [organization.live, organization.sandbox])
    for (let n = 0; n < 3; n += 1) assert.equal((await client.order([linkGift()])).status, 201);
  return { organization, checkpoint: await takeCheckpoint(deps()) };
}

const entryIds = async ({ organizationUuid }: TestOrganization, environment = 'live') =>
  (
    await service.sql<{ entry_id: string }>(
      'select entry_id from ledger_entries where organization_id = $1 and environment = $2 order by entry_id',
      [organizationUuid, environment],
    )
  ).map(({ entry_id }) => entry_id);

/** Changes rows as only the database's owner can, runs the act, and takes the changes back. */
async function tampered(sql: string, values: unknown[], act: () => Promise<void>): Promise<void> {
  const tables = ['ledger_entries', 'audit_events', 'seals'];
  for (const table of tables) await service.sql(`create temporary table kept_${table} as table ${table}`);
  await service.sql('set session_replication_role = replica');
  try {
    await service.sql(sql, values);
    await act();
  } finally {
    for (const table of tables)
      await service.sql(`delete from ${table}; insert into ${table} table kept_${table}; drop table kept_${table}`);
    await service.sql('reset session_replication_role');
  }
}

const CHANGED = 'each row is as it was sealed';
const WITHOUT_SEAL = 'each row is sealed or waits for it';
const CHECKPOINT = 'each chain holds the checkpoint';

test('every minute seals the new rows of every organization', async () => {
  const { organization } = await sealed();
  assert.equal((await organization.live.order([linkGift()])).status, 201);
  const before = await verifyLedger(deps());
  assert.equal(before.checked.ledger_entries - before.checked.sealed_entries, 1);
  await sealChains(deps());
  const { checked } = await verifyLedger(deps());
  assert.equal(checked.sealed_entries, checked.ledger_entries);
  assert.deepEqual((await verifyAudit(deps())).checked.waiting_events, 0);
  assert.deepEqual(await faults(), []);
});

test('every changed column of a sealed ledger entry is found, with the entry', async () => {
  const { organization } = await sealed();
  const [id = ''] = await entryIds(organization);
  const named = `${CHANGED}: ${encodeId('led', id)}`;
  const changes = [
    'amount_cents = amount_cents + 1',
    'balance_after_cents = balance_after_cents + 1',
    `kind = 'adjustment', note = 'x'`,
    `reference = 'other'`,
    `note = 'other'`,
    `created_at = created_at + interval '1 microsecond'`,
  ];
  for (const change of changes)
    await tampered(`update ledger_entries set ${change} where entry_id = $1`, [id], async () => {
      assert.ok((await faults()).includes(named), change);
    });
  for (const change of [`entry_id = gen_random_uuid()`, `environment = 'sandbox'`])
    await tampered(`update ledger_entries set ${change} where entry_id = $1`, [id], async () => {
      assert.ok((await faults()).includes(named), change);
    });
  assert.deepEqual(await faults(), []);
});

test('every changed column of a sealed audit event is found, with the event', async () => {
  const { organization } = await sealed();
  const { rows } = await listAuditEvents(deps(), { organizationId: organization.organizationUuid, page: { limit: 1 } });
  const eventId = rows[0]?.event_id ?? '';
  const changes = [
    `action = 'key.revoked'`,
    `actor_name = 'Eve'`,
    `actor_address = '192.0.2.1'`,
    `details = details || '{"more": 1}'`,
    `target = 'other'`,
    `environment = null`,
    `created_at = created_at - interval '1 day'`,
  ];
  const where = 'where event_id = (select max(event_id::text)::uuid from audit_events where organization_id = $1)';
  for (const change of changes)
    await tampered(`update audit_events set ${change} ${where}`, [organization.organizationUuid], async () => {
      assert.deepEqual(await faults(), [`${CHANGED}: ${eventId}`], change);
    });
});

test('a deleted row and a row put among the sealed ones are found', async () => {
  const { organization } = await sealed();
  const [first = '', second = ''] = await entryIds(organization);
  await tampered('delete from ledger_entries where entry_id = $1', [second], async () => {
    assert.ok((await faults()).includes(`${CHANGED}: ${encodeId('led', second)}`));
  });
  const copy = (table: string, id: string) =>
    `insert into ${table} select (jsonb_populate_record(t, $1)).* from ${table} t where ${id} = $2`;
  const added = '00000000-0000-7000-8000-000000000001';
  const entry = { entry_id: added, order_id: null, reference: 'added' };
  await tampered(copy('ledger_entries', 'entry_id'), [entry, first], async () => {
    assert.ok((await faults()).includes(`${WITHOUT_SEAL}: ${encodeId('led', added)}`));
  });
  const [event] = await service.sql<{ event_id: string }>('select event_id from audit_events limit 1');
  await tampered(copy('audit_events', 'event_id'), [{ event_id: added }, event?.event_id], async () => {
    assert.deepEqual(await faults(), [`${WITHOUT_SEAL}: ${encodeId('evt', added)}`]);
  });
});

test('a changed seal is found', async () => {
  const { organization } = await sealed();
  const where = `where organization_id = $1 and chain = 'live' and number = 1`;
  for (const change of [
    'head = set_byte(head, 0, 255 - get_byte(head, 0))',
    'leaves = set_byte(leaves, 0, 255 - get_byte(leaves, 0))',
    'rows = rows + 1',
    'last_id = gen_random_uuid()',
    'row_ids = array_append(row_ids[2:], row_ids[1])',
  ])
    await tampered(`update seals set ${change} ${where}`, [organization.organizationUuid], async () => {
      assert.notDeepEqual(await faults(), [], change);
    });
});

test('a cut tail and a history hashed again are found by an earlier checkpoint', async () => {
  const { organization, checkpoint } = await sealed();
  const uuid = organization.organizationUuid;
  const hasOwn = (found: string[]) => found.some((fault) => fault.startsWith(CHECKPOINT));
  assert.deepEqual(await faults(checkpoint), []);
  const cuts = {
    audit: `with cut as (delete from audit_events where organization_id = $1)
      delete from seals where organization_id = $1 and chain = 'audit'`,
    live: `with cut as (delete from ledger_entries where organization_id = $1 and environment = 'live')
      delete from seals where organization_id = $1 and chain = 'live'`,
  };
  for (const [chain, sql] of Object.entries(cuts))
    await tampered(sql, [uuid], async () => {
      const found = (await faults(checkpoint)).filter((fault) => fault.startsWith(CHECKPOINT));
      assert.deepEqual(found, [`${CHECKPOINT}: null`], chain);
    });
  // The forger seals the changed rows as the service does.
  const [first] = await entryIds(organization);
  await tampered(`update ledger_entries set note = 'forged' where entry_id = $1`, [first], async () => {
    await service.sql(`delete from seals where organization_id = '${uuid}' and chain = 'live'`);
    await sealChains(deps());
    assert.deepEqual(await faults(), []);
    assert.ok(hasOwn(await faults(checkpoint)));
  });
  assert.equal((await organization.live.order([linkGift()])).status, 201);
  await sealChains(deps());
  assert.deepEqual(await faults(checkpoint), []);
});

test('entries of an earlier release, whose ids exceed the last id, are sealed', async () => {
  const { organizationUuid: uuid } = await service.organization();
  await service.sql(`update balances set last_id = '00000000-0000-0000-0000-000000000000' where organization_id = $1`, [
    uuid,
  ]);
  await sealChains(deps());
  const { checked } = await verifyLedger(deps());
  assert.equal(checked.sealed_entries, checked.ledger_entries);
});

test('orders, events and seals of several processes at once leave nothing unsealed', async () => {
  const { organization, checkpoint } = await sealed();
  const second = await service.second();
  let isOver = false;
  const sealing = [deps(), second.service.deps].map(async (each) => {
    while (!isOver) await sealChains(each);
  });
  const clients = [organization.live, second.api(organization.keys.live)];
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      if (n % 10 === 0) await organization.fund('live', 1_000);
      await clients[n % 2]?.order([linkGift(1_000)]);
    }),
  );
  isOver = true;
  await Promise.all(sealing);
  await sealChains(deps());
  assert.deepEqual(await faults(checkpoint), []);
  const { checked } = await verifyLedger(deps());
  assert.equal(checked.sealed_entries, checked.ledger_entries);
});

test('orders that are placed while the minute’s job seals have one seal together', async () => {
  const organization = await service.organization();
  await sealChains(deps());
  let isOver = false;
  const ordering = (async () => {
    while (!isOver) await organization.live.order([linkGift(1_000)]);
  })();
  for (let run = 0; run < 3; run += 1) {
    const before = (await entryIds(organization)).length;
    while ((await entryIds(organization)).length < before + 3) await organization.live.get('/v1/balance');
    await sealChains(deps());
  }
  isOver = true;
  await ordering;
  const chain = `from seals where organization_id = $1 and chain = 'live'`;
  assert.equal((await service.sql(`select ${chain}`, [organization.organizationUuid])).length, 4);
  await sealChains(deps());
  assert.deepEqual(await faults(), []);
});

test('a reset of the sandbox begins its chain again and leaves the live one', async () => {
  const { organization, checkpoint } = await sealed();
  const resets = Promise.all(Array.from({ length: 3 }, () => organization.sandbox.post('/v1/sandbox/reset')));
  await Promise.all([resets, sealChains(deps()), sealChains(deps())]);
  assert.deepEqual(await faults(checkpoint), []);
  await organization.fund('sandbox', 10_000);
  assert.equal((await organization.sandbox.order([linkGift()])).status, 201);
  await sealChains(deps());
  assert.deepEqual(await faults(checkpoint), []);
  const [seal] = await service.sql(
    `select max(number) as number, max(rows)::integer as rows from seals where organization_id = $1 and chain = 'sandbox'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(seal, { number: 1, rows: 2 });
});

test('a checkpoint is read only as it was printed', () => {
  const end = {
    organization_id: `org_${'0'.repeat(26)}`,
    chain: 'live',
    rows: 2,
    head: 'ab'.repeat(32),
  } as const;
  const text = printCheckpoint([end, end]);
  assert.deepEqual(parseCheckpoint(`${text}\n`), [end, end]);
  assert.deepEqual(parseCheckpoint(printCheckpoint([])), []);
  const [heading = ''] = text.split('\n');
  const line = end;
  const wrong = Object.keys(line).map((name) => `${heading}\n${JSON.stringify({ ...line, [name]: undefined })}`);
  const others = ['', 'no', JSON.stringify(line), `${heading}\n${JSON.stringify({ ...line, chain: 'sandbox' })}`];
  for (const other of [...wrong, ...others]) assert.throws(() => parseCheckpoint(other), /ledger checkpoint printed/);
});
