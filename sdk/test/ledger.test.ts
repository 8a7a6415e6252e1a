import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCheckpoint } from '../../server/src/capabilities/seals/checkpoint.ts';
import { sealChains } from '../../server/src/capabilities/seals/seal-chains.ts';
import { verifyLedger } from '../../server/src/capabilities/seals/verify-ledger.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { openForFile } from '../../server/test/harness/open-for-file.ts';
import { LINK_SECRET, startTestService, type TestOrganization } from '../../server/test/harness/test-service.ts';
import {
  Bestow,
  type LedgerProof,
  type LedgerStatement,
  LedgerVerificationError,
  openCheckpoint,
  verifyConsistency,
  verifyInclusion,
  verifyStatement,
} from '../src/index.ts';

// The SDK verifies what the service signs, without the service's code.

const service = openForFile(() => startTestService());
const deps = () => service.service.deps;
const MONTH = '2026-11';

const clientOf = ({ keys }: TestOrganization, environment: 'live' | 'sandbox' = 'live') =>
  new Bestow(keys[environment], { baseUrl: service.url });

async function publicKeys(url = service.url): Promise<string[]> {
  const answer = await fetch(`${url}/.well-known/bestow-ledger-keys`);
  const { keys } = (await answer.json()) as { keys: { public_key: string }[] };
  return keys.map(({ public_key }) => public_key);
}

async function seal({ live, sandbox }: TestOrganization, orders: number): Promise<void> {
  for (const client of [live, sandbox])
    for (let n = 0; n < orders; n += 1) assert.equal((await client.order([linkGift(1_000)])).status, 201);
  await sealChains(deps());
}

const isRefused = (error: unknown) => error instanceof LedgerVerificationError;

test('every entry and every earlier checkpoint is proved in a growing ledger', async () => {
  const organization = await service.organization();
  const client = clientOf(organization);
  const keys = await publicKeys();
  const checkpoints: { size: number; note: string }[] = [];
  for (const orders of [0, 1, 2, 4, 9]) {
    await seal(organization, orders);
    const checkpoint = await client.ledger.checkpoint();
    const { origin, size, root } = await openCheckpoint(checkpoint.note, keys);
    assert.deepEqual(
      { origin, size, root },
      { origin: checkpoint.origin, size: checkpoint.size, root: checkpoint.root },
    );
    checkpoints.push(checkpoint);
    for (const earlier of checkpoints)
      assert.equal(
        (await verifyConsistency(earlier.note, await client.ledger.proveConsistency(earlier.size), keys)).size,
        size,
      );
  }
  const { data } = await client.balance.entries({ limit: 100 }).page();
  assert.equal(data.length, checkpoints.at(-1)?.size);
  for (const { entry_id, amount } of data) {
    const entry = await verifyInclusion(await client.ledger.proveEntry(entry_id), keys);
    assert.deepEqual(Object(entry).amount, amount);
  }
});

test('a statement is verified without the service, and every changed field is refused', async () => {
  const organization = await service.organization();
  await seal(organization, 5);
  const statement = await clientOf(organization).ledger.statement(MONTH);
  const keys = await publicKeys();
  const { size } = await verifyStatement(statement, keys);
  assert.equal(size, 6);
  assert.equal(statement.entries.length, 6);
  assert.equal(statement.closing_balance, 1_000_000 - 5_000);
  for (const [name, value] of Object.entries(statement)) {
    if (name === 'object' || name === 'version') continue;
    for (const changed of variants(value)) {
      const forged = { ...statement, [name]: changed } as LedgerStatement;
      await assert.rejects(verifyStatement(forged, keys), `${name}: ${JSON.stringify(changed)}`);
    }
  }
  for (const [index, entry] of statement.entries.entries())
    for (const [name, value] of Object.entries(entry))
      for (const changed of variants(value)) {
        const entries = statement.entries.with(index, { ...entry, [name]: changed });
        await assert.rejects(verifyStatement({ ...statement, entries }, keys), isRefused, name);
      }
  await assert.rejects(verifyStatement(statement, [keys[0]?.replace(/^./, 'A') ?? '']), /keys signed/);
});

test('says the commonest mistakes of a verifier', async () => {
  const organization = await service.organization();
  await seal(organization, 1);
  const { ledger, balance } = clientOf(organization);
  const [statement, keys] = [await ledger.statement(MONTH), await publicKeys()];
  const [entry] = (await balance.entries().page()).data;
  const [inclusion, consistency] = [await ledger.proveEntry(entry?.entry_id ?? ''), await ledger.proveConsistency(1)];
  const { note } = await ledger.checkpoint();
  for (const wrong of [[], undefined, keys[0], { keys }, [''], ['bestow-live-key']] as string[][])
    await assert.rejects(verifyStatement(statement, wrong), /list of Base64 texts: each public_key/);
  for (const [call, words] of [
    [verifyStatement(JSON.stringify(statement) as never, keys), /is text. Parse it first/],
    [verifyStatement(statement.entries as never, keys), /no ledger_statement. Pass the whole answer/],
    [verifyInclusion(consistency, keys), /of consistency. Pass it to verifyConsistency/],
    [verifyInclusion(note as never, keys), /is text/],
    [verifyConsistency(note, inclusion, keys), /of one entry. Pass it to verifyInclusion/],
    [verifyConsistency(statement as never, consistency, keys), /note of the checkpoint/],
  ] as const)
    await assert.rejects(call, { name: 'LedgerVerificationError', message: words });
});

/** Other values of the same type. */
function variants(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, -value - 1];
  if (typeof value === 'boolean') return [!value];
  if (Array.isArray(value))
    return [[...value, ...(value.length > 0 ? [value[0]] : ['AAAA'])], value.slice(1)].filter(
      (one) => one.length !== value.length,
    );
  const text = String(value);
  // A note: its text and its signature.
  if (text.includes('\n'))
    return [text.replace('\n', 'x\n'), text.replace(/(?<=\u2014 \S+ .{20})./, (one) => (one === 'A' ? 'B' : 'A'))];
  return [`${text}x`, text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))];
}

test('the months of a year continue each other', async () => {
  const organization = await service.organization();
  const client = clientOf(organization);
  const keys = await publicKeys();
  await seal(organization, 3);
  await service.clock.setTime(Date.parse('2026-12-01T00:00:30Z'));
  await seal(organization, 2);
  assert.equal((await client.ledger.statement(MONTH)).is_final, false);
  await service.clock.setTime(Date.parse('2026-12-01T00:01:00Z'));
  const [november, december, january] = await Promise.all(
    ['2026-11', '2026-12', '2027-01'].map((month) => client.ledger.statement(month)),
  );
  assert.ok(november && december && january);
  for (const statement of [november, december, january]) await verifyStatement(statement, keys);
  assert.deepEqual([november.is_final, december.is_final], [true, false]);
  assert.deepEqual([november.entries.length, december.entries.length, january.entries.length], [4, 2, 0]);
  assert.equal(december.first_index, 4);
  assert.equal(december.opening_balance, november.closing_balance);
  assert.equal(january.closing_balance, december.closing_balance);
});

test('rewritten history does not continue an old checkpoint, for customer and operator', async () => {
  const organization = await service.organization();
  const client = clientOf(organization);
  const keys = await publicKeys();
  await seal(organization, 3);
  const old = await client.ledger.checkpoint();
  const ofOwn = { organizationUuid: organization.organizationUuid };
  // The database's owner rewrites an entry and seals all again, as the service does.
  await service.sql('set session_replication_role = replica');
  await service.sql(
    `update ledger_entries set note = 'forged' where organization_id = $1 and environment = 'live' and kind = 'funding'`,
    [ofOwn.organizationUuid],
  );
  await service.sql(`delete from seals where organization_id = $1 and chain = 'live'`, [ofOwn.organizationUuid]);
  await service.sql('set session_replication_role = origin');
  await seal(organization, 1);
  assert.deepEqual((await verifyLedger(deps())).culprits, []);
  const proof = await client.ledger.proveConsistency(old.size);
  await assert.rejects(verifyConsistency(old.note, proof, keys), /history was changed/);
  const culprits = (await verifyLedger(deps(), parseCheckpoint(old.note))).culprits.map(({ check }) => check);
  assert.deepEqual(culprits, ['each chain holds the checkpoint']);
});

test('a changed proof is refused', async () => {
  const organization = await service.organization();
  const client = clientOf(organization);
  const keys = await publicKeys();
  await seal(organization, 2);
  const old = await client.ledger.checkpoint();
  await seal(organization, 4);
  const entryId = (await client.balance.retrieve()).last_entry?.entry_id ?? '';
  const inclusion = await client.ledger.proveEntry(entryId);
  const consistency = await client.ledger.proveConsistency(old.size, { size: old.size + 1 });
  assert.equal(consistency.size, old.size + 1);
  const check = {
    inclusion: (proof: LedgerProof) => verifyInclusion(proof, keys),
    consistency: (proof: LedgerProof) => verifyConsistency(old.note, proof, keys),
  };
  for (const [kind, proof] of Object.entries({ inclusion, consistency })) {
    const verify = check[kind as keyof typeof check];
    await verify(proof);
    for (const [name, value] of Object.entries(proof)) {
      if (name === 'object') continue;
      for (const changed of variants(value))
        await assert.rejects(
          verify({ ...proof, [name]: changed } as LedgerProof),
          `${kind} ${name} ${String(changed)}`,
        );
    }
  }
  await assert.rejects(verifyConsistency(old.note.replace('\n3\n', '\n4\n'), consistency, keys), isRefused);
});

test('a reset begins another tree of the sandbox, with another origin', async () => {
  const organization = await service.organization();
  const client = clientOf(organization, 'sandbox');
  await seal(organization, 2);
  const before = await client.ledger.checkpoint();
  await client.sandbox.reset();
  const empty = await client.ledger.checkpoint();
  assert.deepEqual([empty.size, empty.root], [0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=']);
  await organization.fund('sandbox', 10_000);
  await seal(organization, 3);
  const after = await client.ledger.checkpoint();
  assert.notEqual(after.origin, before.origin);
  const keys = await publicKeys();
  const proof = await client.ledger.proveConsistency(before.size);
  await assert.rejects(verifyConsistency(before.note, proof, keys), /different ledgers/);
  await verifyStatement(await client.ledger.statement(new Date(service.clock.now()).toISOString().slice(0, 7)), keys);
});

test('a new key signs, and the earlier ones stay published while they are named', async () => {
  const organization = await service.organization();
  await seal(organization, 1);
  const secret = 'another link secret for tests, long enough';
  const old = await clientOf(organization).ledger.checkpoint();
  const [oldKey = ''] = await publicKeys();
  const rotated = await service.second({}, [secret, LINK_SECRET]);
  const keys = await publicKeys(rotated.url);
  assert.equal(keys[1], oldKey);
  const { note } = await new Bestow(organization.keys.live, { baseUrl: rotated.url }).ledger.checkpoint();
  assert.notEqual(note, old.note);
  for (const one of [note, old.note]) await openCheckpoint(one, keys);
  await assert.rejects(openCheckpoint(note, [oldKey]), isRefused);
  const later = await service.second({ LEDGER_EARLIER_KEYS: oldKey }, [secret]);
  assert.deepEqual(await publicKeys(later.url), keys);
});
