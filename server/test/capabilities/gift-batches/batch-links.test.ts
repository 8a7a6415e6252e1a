import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { eventsOf } from '../../harness/audit-log.ts';
import { createSender, rowTo, type Sender } from '../../harness/batches.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** The results of a file with the links of its gifts. */

const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization({ sandbox: 10_000_000 }));
before(() => organization.addMembers());

/** A fresh sign-in. */
async function signIn(email = 'admin@example.com', of: TestOrganization = organization) {
  const client = await createPortalClient(service, email);
  return { client, sender: createSender(service, client, of) };
}

const linkRow = { amount: 2500, category: 'coffee', delivery: { method: 'link' } };
const links = (count: number) => Array.from({ length: count }, () => linkRow);
const exportsOf = (of: TestOrganization) => eventsOf(service, of.organizationId, { action: 'batch.links_exported' });

interface Line {
  result: string | undefined;
  giftId: string;
  link: string;
}

/** Downloads the file; returns its lines. No test has a comma in a field. */
async function download(client: PortalClient, sender: Sender, batchId: string): Promise<Line[]> {
  const { status, body, headers } = await client.call('GET', sender.path(`/${batchId}/links.csv`));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-disposition') ?? '', /filename="links-sandbox\.csv"/);
  const [header, ...lines] = (body as string).trimEnd().split('\r\n');
  assert.match(header ?? '', /^\uFEFF?Row,Result,Gift,.*,Error,Link$/);
  return lines.map((line) => {
    const cells = line.split(',');
    return { result: cells[4], giftId: cells[2] ?? '', link: cells.at(-1) ?? '' };
  });
}

async function send(sender: Sender, rows: readonly { amount: number }[]): Promise<string> {
  const batchId = await sender.send(rows);
  assert.equal((await sender.settle(batchId)).placed, rows.length);
  return batchId;
}

test('the file has the links of unclaimed gifts, not of held, claimed and canceled ones', async () => {
  const { client, sender } = await signIn();
  const formula = { ...linkRow, personalization: { recipient_name: '=1+1' } };
  const batchId = await send(sender, [rowTo('ada@example.com'), formula, ...links(5)]);
  const { body: rows } = await client.call('GET', sender.path(`/${batchId}/rows`));
  const [, , opened, held, claimed, canceled] = rows.data.map(({ gift_id }: { gift_id: string }) => gift_id);
  const act = (giftId: string, name: string) =>
    client.call('POST', giftsPath(organization, `/${giftId}/${name}`), name === 'cancel' ? {} : undefined);
  assert.equal((await act(held, 'hold')).status, 200);
  assert.equal((await act(canceled, 'cancel')).status, 200);
  assert.equal((await organization.sandbox.post(`/v1/sandbox/gifts/${claimed}/claim`)).status, 200);
  assert.equal((await organization.sandbox.post(`/v1/sandbox/gifts/${opened}/open`)).status, 200);
  const earlier = (await exportsOf(organization)).length;

  const lines = await download(client, sender, batchId);
  assert.deepEqual(
    lines.map(({ result, link }) => [result, link !== '']),
    [
      ['sent', false],
      ['sent', true],
      ['opened', true],
      ['sent', false],
      ['claimed', false],
      ['canceled', false],
      ['sent', true],
    ],
  );
  for (const { giftId, link } of lines.filter((line) => line.link !== '')) {
    assert.equal((await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.link, link);
    assert.equal((await createRecipient(service).view(link)).status, 200);
    assert.equal((await createRecipient(service).press(link, 'claim')).status, 303);
  }
  const { body: csv } = await client.call('GET', sender.path(`/${batchId}/links.csv`));
  assert.match(csv, /,'=1\+1,/);
  const [second, first, ...others] = await exportsOf(organization);
  assert.equal(others.length, earlier);
  assert.deepEqual(
    [first, second].map((event) => [event?.actor.name, event?.target, event?.sentence]),
    [
      ['admin@example.com', batchId, 'Exported the results of a file with the links of 3 gifts'],
      ['admin@example.com', batchId, 'Exported the results of a file with the links of 0 gifts'],
    ],
  );
  const recorded = await service.sql(`select details from audit_events where action = 'batch.links_exported'`);
  assert.doesNotMatch(JSON.stringify(recorded), /\/g\//);
});

test('a batch says whether it has links, after its job is done', async () => {
  const { client, sender } = await signIn();
  const withLinks = async (batchId: string) => (await sender.show(batchId)).has_links;
  const batchId = await sender.send(links(1));
  assert.equal(await withLinks(batchId), false);
  await sender.settle(batchId);
  assert.equal(await withLinks(batchId), true);
  assert.equal(await withLinks(await send(sender, [rowTo('no-links@example.com')])), false);
  const [{ giftId } = { giftId: '' }] = await download(client, sender, batchId);
  assert.equal((await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`)).status, 200);
  assert.equal(await withLinks(batchId), false);
});

test('expired links of hundreds of gifts are renewed once, and can be claimed', async () => {
  const { sender } = await signIn();
  const batchId = await send(sender, links(260));
  await service.clock.jump(31 * DAY_MS);
  const later = await signIn();
  const count = 'select count(*) from gifts where organization_id = $1 and link_expires_at <= $2';
  const expired = () => service.sql(count, [organization.organizationUuid, new Date(service.clock.now())]);
  const [before] = await expired();
  const lines = await download(later.client, later.sender, batchId);
  assert.equal(new Set(lines.map(({ link }) => link)).size, 260);
  const [after] = await expired();
  assert.equal(Number(before?.['count']) - Number(after?.['count']), 260);
  assert.deepEqual(await download(later.client, later.sender, batchId), lines);
  for (const line of [lines[0], lines[259]])
    assert.equal((await createRecipient(service).press(line?.link ?? '', 'claim')).status, 303);
});

test('members, old sessions, other and suspended organizations get no links', async () => {
  const { client, sender } = await signIn();
  const batchId = await send(sender, links(1));
  const earlier = (await exportsOf(organization)).length;
  const refusal = async (by: PortalClient, path = sender.path(`/${batchId}/links.csv`)) => {
    const { status, body } = await by.call('GET', path);
    return [status, body.error?.code];
  };
  const { client: member } = await signIn('member@example.com');
  assert.deepEqual(await refusal(member), [403, 'admin_required']);
  const other = await service.organization();
  await other.addMembers();
  const foreign = createSender(service, client, other).path(`/${batchId}/links.csv`);
  assert.deepEqual(await refusal(client, foreign), [404, 'not_found']);
  const live = createSender(service, client, organization, 'live').path(`/${batchId}/links.csv`);
  assert.deepEqual(await refusal(client, live), [404, 'not_found']);
  const { organizationId } = organization;
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assert.deepEqual(await refusal(client), [403, 'organization_suspended']);
  await reinstateOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  await service.clock.jump(11 * 60_000);
  assert.deepEqual(await refusal(client), [403, 'sign_in_again']);
  assert.equal((await exportsOf(organization)).length, earlier);
  assert.deepEqual(await exportsOf(other), []);
});

const waiting = async () =>
  (await service.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length;

test('a hold that is about to commit keeps the links of its gifts out of the file', async () => {
  const { client, sender } = await signIn();
  const batchId = await send(sender, links(3));
  const before = await download(client, sender, batchId);
  const during = async (text: string, id: string) => {
    const holder = new Client(service.target);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(text, [id]);
      const [lines] = await Promise.all([
        download(client, sender, batchId),
        until(async () => (await waiting()) >= 1, 'it waits for the hold').then(() => holder.query('commit')),
      ]);
      return lines.map(({ link }) => link !== '');
    } finally {
      await holder.end();
    }
  };
  const one = decodeId('gift', before[1]?.giftId ?? '') ?? '';
  assert.deepEqual(await during('update gifts set held_at = now() where gift_id = $1', one), [true, false, true]);
  const holdAll = 'update organizations set gifts_held_at = now() where organization_id = $1';
  assert.deepEqual(await during(holdAll, organization.organizationUuid), [false, false, false]);
});
