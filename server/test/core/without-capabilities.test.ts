import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, emailGift, linkGift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { createRecipient, numberOn } from '../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../harness/test-service.ts';
import { writersOf } from '../repository/table-owners.ts';

// Capabilities stand around the service: gifts are ordered, read, canceled, claimed and spent without their tables.

const service = openForFile(startTestService);

const foldersOf = Map.groupBy(writersOf.keys(), (table) => [...(writersOf.get(table) ?? [])][0] ?? '');
const capabilities = [...foldersOf].filter(([folder]) => folder.startsWith('capabilities/')).sort();

/** Drops tables, and the functions of triggers that fill them. */
async function drop(tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const filled = await service.sql<{ name: string }>(
      'select oid::regprocedure::text as name from pg_proc where prosrc ~ $1',
      [`\\m(insert into|delete from) ${table}\\M`],
    );
    for (const { name } of filled) await service.sql(`drop routine ${name} cascade`);
    await service.sql(`drop table ${table} cascade`);
  }
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** Orders gifts at once and for later, reads them in each way, cancels one, and claims and spends another. */
async function orderAndSpend({ sandbox }: TestOrganization): Promise<unknown[]> {
  const sendAt = new Date(service.clock.now() + 3_600_000).toISOString();
  const placed: Answer = await sandbox.order([linkGift(), linkGift(), emailGift('ada')]);
  const [{ gift_id: gift, delivery }, { gift_id: second }] = placed.body.gifts;
  const recipient = createRecipient(service);
  const reads = ['gifts', 'orders', 'balance', `gifts/${gift}`, `orders/${placed.body.order_id}`];
  return [
    placed.status,
    await statusOf(sandbox.order([{ ...emailGift('ada'), send_at: sendAt }])),
    ...(await Promise.all(reads.map((path) => statusOf(sandbox.get(`/v1/${path}`))))),
    await statusOf(sandbox.get(`/v1/gifts/${gift}?expand=history`)),
    await statusOf(sandbox.post(`/v1/gifts/${second}/cancel`, {})),
    await statusOf(recipient.view(delivery.link)),
    await statusOf(recipient.press(delivery.link, 'claim')),
    numberOn(await recipient.press(delivery.link, 'reveal')) !== undefined,
    await statusOf(sandbox.post(`/v1/sandbox/gifts/${gift}/spend`, { amount: 100 })),
  ];
}

test('gifts are ordered, read, canceled, claimed and spent without the tables of each capability', async () => {
  assert.ok(capabilities.length > 15, `${capabilities.length} capabilities`);
  const organization = await service.organization({ sandbox: 1_000_000 });
  const whole = await orderAndSpend(organization);
  assert.deepEqual(
    whole.filter((status) => status === false || Number(status) >= 400),
    [],
  );
  for (const [folder, tables] of capabilities) {
    await drop(tables);
    assert.deepEqual(await orderAndSpend(organization), whole, folder);
  }
});
