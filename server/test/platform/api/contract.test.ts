import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordCalls } from '../../harness/contract-calls.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// `contract-recorded.jsonl` holds the answers of commit 942ed73, before lists had filters and orders had references.
// Do not record the file again: a difference breaks a client. Only unknown parameters were ignored then, and the
// message about one names the parameters that came since. `param` of `idempotency_key_reused` came later.

const service = openForFile(() => startTestService({ PUBLIC_URL: 'https://gifts.example.com' }));
const lines = readFileSync(new URL('./contract-recorded.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

test('the contract answers byte for byte as before', async () => {
  const calls = await recordCalls(service);
  for (const [index, call] of calls.entries()) assert.deepEqual(call, JSON.parse(lines[index] ?? '{}'), call.call);
  assert.equal(calls.length, lines.length);
});
