import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastComplaint } from '../../../src/platform/embedded-postgres/cluster.ts';
import { linesOf } from '../../../src/platform/embedded-postgres/process.ts';

const LOG = `2026-11-26 12:00:00.000 UTC [100] LOG:  starting PostgreSQL 18.4
2026-11-26 12:00:00.100 UTC [103] LOG:  database system was interrupted
2026-11-26 12:00:00.200 UTC [999] FATAL:  another PostgreSQL fails for another reason
2026-11-26 12:00:00.300 UTC [103] FATAL:  could not write to file "pg_wal/xlogtemp.103": No space left on device
2026-11-26 12:00:00.400 UTC [100] LOG:  startup process (PID 103) exited with exit code 1
2026-11-26 12:00:00.500 UTC [100] LOG:  aborting startup due to startup process failure
2026-11-26 12:00:00.600 UTC [100] LOG:  database system is shut down
`;

test('a failed recovery is explained by the startup process, not by the shutdown after it', () => {
  const complaint = lastComplaint(linesOf(LOG, ['100']).join('\n'));
  assert.equal(complaint, 'could not write to file "pg_wal/xlogtemp.103": No space left on device');
});
