import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import { countPending } from '../../harness/deliveries.ts';
import { startDnsServer } from '../../harness/dns-server.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import type { TestOrganization } from '../../harness/test-service.ts';
import { verifyDkim } from '../../harness/verify-dkim.ts';

const dns = await startDnsServer();
after(() => dns.close());
const { mail, service, organization } = openMailService({
  RATE_LIMIT_ADDRESS_PER_SECOND: '100000',
  SENDER_DOMAIN_SPF: 'include:mail.bestow.example',
  DNS_SERVERS: dns.address,
});
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const call = (
  method: string,
  more = '',
  body?: object,
  of: TestOrganization = organization,
  by: PortalClient = admin,
) => by.call(method, `/organizations/${of.organizationId}/brand/sender-domain${more}`, body);

interface Shown {
  kind: string;
  name: string;
  value: string;
  state: string | null;
}

const publish = (records: Shown[]) => {
  for (const { name, value } of records) dns.records.set(name, [value]);
};
const statesOf = ({ records }: { records: Shown[] }) => records.map(({ state }) => state);

async function mailOf() {
  mail.received.length = 0;
  await organization.live.order([gift({ delivery: { method: 'email', email: 'ada@example.com' } })]);
  await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
  const [received] = mail.received;
  assert.ok(received);
  return received;
}

test('mail comes signed from a verified domain, and from the service without it', async () => {
  const added = await call('PUT', '', { address: 'Gifts@Acme.example' });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.deepEqual(statesOf(added.body.domain), [null, null, null]);
  assert.equal((await call('PUT', '', { address: 'gifts@other.example' })).status, 422);
  const { records } = (await call('POST', '/check')).body.domain;
  assert.deepEqual(statesOf({ records }), ['missing', 'missing', 'missing']);
  assert.deepEqual([...new Set(dns.asked)].sort(), records.map(({ name }: Shown) => name).sort());
  assert.equal((await mailOf()).email.from?.address, 'gifts@bestow.example');

  publish(records);
  dns.records.set('acme.example', ['other=1', 'v=spf1 a include:mail.bestow.example -all']);
  dns.records.delete('_dmarc.acme.example');
  const checked = (await call('POST', '/check')).body.domain;
  assert.deepEqual([checked.is_verified, statesOf(checked)], [true, ['found', 'found', 'missing']]);
  const { email, raw, from } = await mailOf();
  assert.deepEqual(email.from, { name: 'Test Organization', address: 'Gifts@acme.example' });
  assert.equal(from, 'gifts@bestow.example', 'bounces come to the service');
  const tags = verifyDkim(raw, (name) => dns.records.get(name)?.[0] ?? '');
  assert.equal(tags['d'], 'acme.example');
  assert.throws(() => verifyDkim(raw.replace('Subject: ', 'Subject: !'), (name) => dns.records.get(name)?.[0] ?? ''));
  const [stored] = await service.sql('select private_key from sender_domains');
  assert.doesNotMatch(stored?.['private_key'] as string, /PRIVATE/);

  assert.equal((await call('DELETE')).body.domain, null);
  const later = await mailOf();
  assert.deepEqual([later.email.from?.address, /dkim-signature/i.test(later.raw)], ['gifts@bestow.example', false]);
  assert.deepEqual(await service.sql('select * from portal.sender_domains'), []);
});

test('a record with NUL is shown as a wrong one', async () => {
  await call('PUT', '', { address: 'gifts@odd.example' });
  dns.records.set('odd.example', ['v=spf1 \0']);
  const [{ state, found }] = (await call('POST', '/check')).body.domain.records;
  assert.deepEqual([state, found], ['wrong', 'v=spf1 �']);
  await call('DELETE');
});

test('of two organizations that verify one domain at once, one gets it', async () => {
  const others = [organization, await service.organization()];
  const people = [admin, await createPortalClient(service, 'admin@example.com')];
  const both = <Result>(act: (of: TestOrganization, by: PortalClient) => Promise<Result>) =>
    Promise.all(others.map((of, index) => act(of, people[index] as PortalClient)));
  const added = await both((of, by) => call('PUT', '', { address: 'gifts@acme.example' }, of, by));
  for (const { body } of added) publish(body.domain.records);
  const answers = await both((of, by) => call('POST', '/check', {}, of, by));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  const verified = await service.sql('select organization_id from sender_domains where verified_at is not null');
  assert.deepEqual(verified, await service.sql('select organization_id from portal.sender_domains'));
  const winner = answers.findIndex(({ status }) => status === 200);
  await call('DELETE', '', undefined, others[winner], people[winner]);
  const loser = await call('POST', '/check', {}, others[1 - winner], people[1 - winner]);
  assert.equal(loser.body.domain.is_verified, true);
});

test('domains of the service, and names that are not domains, are refused', async () => {
  await call('DELETE');
  for (const address of [
    'gifts@bestow.example',
    'a@mail.bestow.example',
    'a@sandbox.gift.test',
    'a@localhost',
    'a@[127.0.0.1]',
    'a@b.example\n',
  ])
    assert.equal((await call('PUT', '', { address })).status, 422, address);
  assert.equal((await call('POST', '/check')).status, 422);
});

test('a domain that loses its records is not used; without an answer nothing changes', async () => {
  const daily = async () => {
    await service.clock.jump(86_400_000);
    await workUntil(
      service,
      async () =>
        (
          await service.sql(`select from sender_domains where checked_at > $1`, [
            new Date(service.clock.now() - 3_600_000),
          ])
        ).length > 0,
      'checked',
    );
    return (await call('GET')).body.domain;
  };
  await call('PUT', '', { address: 'gifts@other.example' });
  publish((await call('POST', '/check')).body.domain.records);
  assert.equal((await call('POST', '/check')).body.domain.is_verified, true);
  dns.isBroken = true;
  const unanswered = await daily();
  assert.deepEqual([unanswered.is_verified, statesOf(unanswered)], [true, ['unknown', 'unknown', 'unknown']]);
  dns.isBroken = false;
  dns.records.set('other.example', ['v=spf1 include:mail.bestow.example ~all', 'v=spf1 -all']);
  const twice = await daily();
  assert.deepEqual([twice.is_verified, statesOf(twice)], [false, ['wrong', 'found', 'found']]);
  assert.equal((await mailOf()).email.from?.name, 'Test Organization via Bestow');
});
