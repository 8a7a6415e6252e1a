import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarations } from '../../../src/capabilities/mcp/declarations.ts';
import type { Declaration } from '../../../src/capabilities/mcp/tool.ts';
import { errorCodes } from '../../../src/platform/base/errors.ts';
import { openScene } from '../../harness/next-steps.ts';
import { errorsOfGifts } from '../../harness/next-steps-of-gifts.ts';
import { errorsOfOrders } from '../../harness/next-steps-of-orders.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';
import { WORDS_OF_HTTP } from '../../harness/words-of-http.ts';

// Every error that a tool can give, followed as its next step says: nothing is bought twice.

const service = openForFile(() => startTestService());
const rows = [...errorsOfOrders, ...errorsOfGifts];

/** What orders took from the balance and was not given back, in cents. */
async function spentBy(organizationUuid: string): Promise<number> {
  const text = `select -coalesce(sum(amount_cents) filter (where kind in ('order', 'refund')), 0)::int as cents
    from ledger_entries where organization_id = $1 and environment = 'sandbox'`;
  const [row] = await service.sql<{ cents: number }>(text, [organizationUuid]);
  return row?.cents ?? 0;
}

for (const { code, how, provoke, says, follow, bought } of rows)
  test(`${code}: ${how}`, async () => {
    const scene = await openScene(service);
    const error = await provoke(scene);
    assert.equal(error.code, code);
    assert.match(error.next_step, says);
    assert.doesNotMatch(error.message, WORDS_OF_HTTP);
    assert.match(error.request_id, /^req_/);
    await follow?.(scene, error);
    assert.equal(await spentBy(scene.organization.organizationUuid), bought);
  });

/** Errors that are answered to the message and not by a tool. */
const OF_MESSAGES = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_environment_mismatch',
  'request_body_invalid',
  'request_body_too_large',
];

test('the table has every error of the operations that tools call', async () => {
  const { body: document } = await service.api().get('/v1/openapi.json');
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
  const called = Object.values<Declaration>(declarations).map(({ operationId }) => operationId);
  const codes = operations
    .filter(({ operationId }) => called.includes(operationId))
    .flatMap((operation) => Object.values(operation['x-errors']).flat());
  const expected = errorCodes.filter((code) => codes.includes(code) && !OF_MESSAGES.includes(code));
  assert.deepEqual(
    errorCodes.filter((code) => rows.some((row) => row.code === code)),
    expected,
  );
});
