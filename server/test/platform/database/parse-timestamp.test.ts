import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, types } from 'pg';
import { clientConfig } from '../../../src/platform/database/connections.ts';
import { isoTime, parseTimestamp, TIMESTAMPTZ_OID } from '../../../src/platform/database/parse-timestamp.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('timestamps are read as pg reads them, in every form that PostgreSQL writes', async () => {
  const client = new Client(clientConfig(service.target, 5_000));
  await client.connect();
  try {
    const texts: string[] = [];
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/London']) {
      await client.query(`set timezone to '${zone}'`);
      const { rows } = await client.query(`select t::timestamptz::text as text from (
          select '2026-11-24 18:29:10Z'::timestamptz + n * interval '7919.0371 days' + n * interval '1.001 milliseconds'
          from generate_series(-90, 90) n
          union all select '2026-07-01 00:00:00Z'::timestamptz + n * interval '1 millisecond' from generate_series(0, 999) n
          union all select u::timestamptz from (values ('infinity'), ('-infinity'), ('0001-01-01 00:00Z'), ('0099-12-31 23:59:59.9Z'), ('12026-01-01Z'),
            ('2026-11-24 18:29:10.999999Z'), ('2026-11-24 18:29:10.1Z'), ('2026-11-24 18:29:10.12Z')) more (u)
        ) times (t)`);
      texts.push(...rows.map(({ text }) => text));
    }
    const byPg = types.getTypeParser(TIMESTAMPTZ_OID);
    assert.ok(texts.filter((text) => text.endsWith('+00')).length > 1_000);
    for (const text of texts) {
      const parsed = byPg(text);
      assert.deepEqual(parseTimestamp(text), parsed, text);
      if (parsed instanceof Date) assert.equal(isoTime(text), parsed.toISOString(), text);
    }
  } finally {
    await client.end();
  }
});
