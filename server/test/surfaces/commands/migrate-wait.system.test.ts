import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { Client } from 'pg';
import { programPath } from '../../harness/debian-programs.ts';
import { createPostgresServer, type PostgresServer } from '../../harness/postgres-server.ts';
import { BESTOW, bestow, type Ending, freePort, MACHINES_NODE, run, until } from '../../harness/server-process.ts';

const SECRET = 'a secret of thirty-two characters';
const WAITS = /^The database of DATABASE_URL \([^)]*\) [^\n]+\. Waiting for it, at most 5m\.\n$/;

suite('bestow migrate --wait', () => {
  let directory: string;
  let port: number;
  let postgres: PostgresServer;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bestow-wait-'));
    port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1'];
    postgres = await createPostgresServer(dirname(programPath('pg_dump')), directory, settings);
  });
  after(async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(() => postgres.stop());

  const variables = (database = 'postgres') => ({
    DATABASE_URL: `postgres://bestow@127.0.0.1:${port}/${database}`,
    LINK_SECRET: SECRET,
  });
  /** Standard error of a process until now. */
  const remarksOf = (started: ReturnType<typeof bestow>) => {
    let remarks = '';
    started.child.stderr?.on('data', (text: string) => {
      remarks += text;
    });
    return () => remarks;
  };
  function migrateLater(database?: string) {
    const migrating = bestow(['migrate', '--wait', '5m'], variables(database));
    const remarks = remarksOf(migrating);
    return { migrating, remarks, waits: () => until(() => WAITS.test(remarks()), 'it waits') };
  }
  async function query(sql: string) {
    const connect = async () => {
      const client = new Client({ host: '127.0.0.1', port, user: 'bestow', database: 'postgres' });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    let client: Client | undefined;
    await until(async () => {
      client = await connect().catch(() => undefined);
      return client !== undefined;
    }, 'PostgreSQL answers');
    await client?.query(sql);
    await client?.end();
  }
  const assertMigrated = ({ code, stdout, stderr }: Ending) => {
    assert.deepEqual([code, /^up to date +yes$/m.test(stdout)], [0, true], stdout + stderr);
    // Said once, also over many attempts.
    assert.match(stderr, WAITS);
  };

  test('a PostgreSQL that starts later, and crashes once more, is migrated', async () => {
    const { migrating, waits } = migrateLater();
    await waits();
    postgres.start();
    await postgres.stop('SIGQUIT');
    postgres.start();
    assertMigrated(await migrating.ended);
  });

  test('a database that takes no changes is waited for, although its schema is complete', async () => {
    postgres.start();
    await query('alter database postgres set default_transaction_read_only = on');
    const { migrating, remarks, waits } = migrateLater();
    await waits();
    assert.match(remarks(), /takes no changes: it is a standby/);
    await query('set transaction_read_only = off; alter database postgres reset default_transaction_read_only');
    assertMigrated(await migrating.ended);
  });

  test('a wrong name and a server without TLS are refused at once', async () => {
    postgres.start();
    await query('select 1');
    for (const [database, sentence] of [
      ['nowhere', /^The database .*\/nowhere\) does not exist; create it, or correct the name\.\n$/],
      [
        'postgres?sslmode=require',
        /^The database .* does not speak TLS; turn ssl on in its settings, or remove sslmode from the address\.\n$/,
      ],
    ] as const) {
      const { code, stderr } = await migrateLater(database).migrating.ended;
      assert.deepEqual([code, sentence.test(stderr)], [1, true], stderr);
    }
    const wrong = await bestow(['migrate', '--wait', '5m'], { ...variables(), PORT: '99999' }).ended;
    assert.deepEqual([wrong.code, /^PORT must be /.test(wrong.stderr)], [1, true], wrong.stderr);
  });

  test('a stop ends the wait without a word, and not as a success', async () => {
    for (const [node, ending] of [
      [process.execPath, [null, 'SIGTERM']],
      ...(MACHINES_NODE === undefined ? [] : [[MACHINES_NODE, [143, null]] as const]),
    ] as const) {
      const migrating = run(node, [BESTOW, 'migrate', '--wait', '5m'], variables());
      const remarks = remarksOf(migrating);
      await until(() => WAITS.test(remarks()), 'it waits');
      migrating.signal('SIGTERM');
      const { code, signal, stdout, stderr } = await migrating.ended;
      assert.deepEqual([code, signal], ending, node);
      assert.equal(stdout, '');
      assert.match(stderr, WAITS);
    }
  });

  test('after the time it fails with the reason', async () => {
    const { code, stderr } = await bestow(['migrate', '--wait', '1s'], variables()).ended;
    assert.equal(code, 1);
    assert.match(stderr, /\. Waiting for it, at most 1s\.\n.*cannot be reached: .*\. It was not there within 1s\.\n$/);
    const unknown = await bestow(['migrate', '--wait', 'long'], variables()).ended;
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /It must be a time such as 30s, 10m or 1h\./);
  });
});
