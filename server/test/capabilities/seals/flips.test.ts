import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { appendEntry } from '../../../src/core/balances/append-entry.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { inOrganization } from '../../../src/platform/database/in-organization.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const deps = () => service.service.deps;

/** SQL that changes one bit of a column `c`, by its type; `n` is any number. */
const FLIPS: Record<string, (n: number) => string> = {
  uuid: (n) => `coalesce(encode(set_bit(uuid_send(c), ${n % 128}, 1 - get_bit(uuid_send(c), ${n % 128})), 'hex')::uuid,
    gen_random_uuid())`,
  bytea: (n) => `set_bit(c, (${n} % (8 * length(c)))::integer, 1 - get_bit(c, (${n} % (8 * length(c)))::integer))`,
  bigint: (n) => `c # (1::bigint << ${n % 40})`,
  integer: (n) => `c # (1 << ${n % 20})`,
  smallint: (n) => `(c # (1 << ${n % 6}))::smallint`,
  text: (n) => `coalesce(overlay(c placing chr(ascii(substr(c, 1, 1)) # (1 << ${n % 4})) from 1 for 1), 'x')`,
  'timestamp with time zone': (n) => `c + interval '1 microsecond' * (1 << ${n % 20})`,
  ARRAY: (n) => `c[:${n} % cardinality(c)] || gen_random_uuid() || c[${n} % cardinality(c) + 2:]`,
  environment: () => `case c when 'live' then 'sandbox' else 'live' end::environment`,
  ledger_entry_kind: (n) => `('{funding,adjustment,order,refund}'::ledger_entry_kind[])[${(n % 4) + 1}]`,
  seal_chain: () => `case c when 'live' then 'sandbox' else 'live' end::seal_chain`,
};
const TABLES = ['ledger_entries', 'ledger_legs', 'seals', 'seal_nodes'] as const;
/** When a seal was made is written down, but proves nothing. */
const UNPROVED = ['seals.sealed_at'];

let organizationUuid: string;
before(async () => {
  const organization = await service.organization({ live: 1_000_000, sandbox: 0 });
  ({ organizationUuid } = organization);
  // More than the 256 leaves of a node.
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 53 }, () => organization.live.order([linkGift(1_000)])));
    assert.ok(answers.every(({ status }) => status === 201));
    await inOrganization(deps().database, organizationUuid, (client) =>
      appendEntry(client, deps(), {
        organizationId: organizationUuid,
        environment: 'live',
        kind: 'funding',
        amountCents: 97,
        actor: OPERATOR,
        reference: `paid ${round}`,
        note: undefined,
        legs: [
          { account: 'payment_clearing', amountCents: -100 },
          { account: 'fees', amountCents: 3 },
        ],
      }),
    );
    await sealChains(deps());
  }
});

interface Flip {
  table: string;
  column: string;
  type: string;
  row: number;
  bit: number;
}

/** Flips a bit as only the tables' owner can, and takes it back. Returns the faults, or undefined if PostgreSQL refuses. */
async function faultsAfter({
  table,
  column,
  type,
  row,
  bit,
}: Flip): Promise<{ id: string | null; found: string[] } | undefined> {
  await service.sql('set session_replication_role = replica');
  await service.sql(`create temporary table kept as table ${table}`);
  try {
    const chosen = `select ctid, to_jsonb(t)->>'entry_id' as id from ${table} t
      where organization_id = $1 and coalesce(to_jsonb(t)->>'chain', 'live') = 'live'`;
    const [one] = await service.sql<{ ctid: string; id: string | null }>(
      `${chosen} order by ctid offset ${row} % (select count(*) from (${chosen}) c) limit 1`,
      [organizationUuid],
    );
    assert.ok(one !== undefined, table);
    const flipped = FLIPS[type]?.(bit) ?? assert.fail(type);
    const [changed] = await service.sql<{ is_other: boolean }>(
      `with old as (select "${column}" as c from ${table} where ctid = $1), new as (select c, ${flipped} as flipped from old)
       update ${table} set "${column}" = flipped from new where ${table}.ctid = $1 returning flipped is distinct from c as is_other`,
      [one.ctid],
    );
    if (changed?.is_other !== true) return undefined;
    const { culprits } = await verifyLedger(deps());
    return { id: one.id && encodeId('led', one.id), found: culprits.map(({ subject_id }) => String(subject_id)) };
  } catch (error) {
    // A check or unique constraint.
    assert.match(Object(error).code, /^23/, String(error));
    return undefined;
  } finally {
    await service.sql(`delete from ${table}; insert into ${table} table kept; drop table kept`);
    await service.sql('set session_replication_role = origin');
  }
}

test('a flipped bit in any column of any row is found, and its entry named', async () => {
  const columns = await service.sql<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column,
       case data_type when 'USER-DEFINED' then udt_name else data_type end as type
     from information_schema.columns where table_schema = 'public' and table_name = any($1) order by 1, ordinal_position`,
    [TABLES],
  );
  const proved = columns.filter(({ table, column }) => !UNPROVED.includes(`${table}.${column}`));
  assert.equal(proved.length, columns.length - 1);
  assert.deepEqual((await verifyLedger(deps())).culprits, []);
  const found = new Set<string>();
  for (const column of proved)
    await fc.assert(
      fc.asyncProperty(fc.nat(400), fc.nat(4_000), async (row, bit) => {
        const faults = await faultsAfter({ ...column, row, bit });
        if (faults === undefined) return;
        found.add(`${column.table}.${column.column}`);
        assert.notDeepEqual(faults.found, [], `${column.table}.${column.column}`);
        if (faults.id !== null) assert.ok(faults.found.includes(faults.id), `${faults.id}: ${faults.found.join()}`);
      }),
      { numRuns: 2 },
    );
  assert.deepEqual((await verifyLedger(deps())).culprits, []);
  // PostgreSQL's own constraints refuse some of the others.
  assert.ok(found.size > 20, [...found].join());
});
