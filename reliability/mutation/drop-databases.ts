import { Client } from 'pg';
import { TARGET_VARIABLE } from '../../server/test/harness/test-database.ts';

/** Drops the databases of a process that ran tests: one that was ended in the middle could not. */
export async function dropDatabases(pid: number): Promise<void> {
  const target = process.env[TARGET_VARIABLE];
  if (target === undefined) return;
  const admin = new Client({ ...JSON.parse(target), database: 'postgres' });
  await admin.connect();
  const left = await admin.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [`test_${pid}_`],
  );
  for (const { datname } of left.rows) await admin.query(`drop database ${datname} with (force)`);
  await admin.end();
}
