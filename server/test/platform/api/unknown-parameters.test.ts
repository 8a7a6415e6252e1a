import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { describedOperations } from '../../harness/described-operations.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// A misspelled filter would return everything (docs/decisions.md#order-of-checks).

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

test('an unknown query parameter is refused, with the known one that is meant', async () => {
  const unknown: [path: string, param: string, meant: string | undefined][] = [
    ['orders?extrnal_id=x', 'extrnal_id', 'external_id'],
    ['orders?page=2', 'page', undefined],
    ['orders?Limit=0', 'Limit', 'limit'],
    ['orders?limit%20=0', 'limit ', 'limit'],
    ['orders?limit[]=0', 'limit[]', 'limit'],
    ['orders?constructor=1', 'constructor', undefined],
    ['orders?__proto__=1', '__proto__', undefined],
    ['orders?%ZZ=%ZZ', '%ZZ', undefined],
    ['orders?limit=1&page=2', 'page', undefined],
    ['gifts?statsu=failed', 'statsu', 'status'],
    ['gifts?recipient_email=a@b.c', 'recipient_email', 'recipient'],
    ['gifts?metadata=x', 'metadata', 'metadata[key]'],
    ['gifts?metadata.shop=x', 'metadata.shop', 'metadata[key]'],
    ['gifts?metadata[shop=x', 'metadata[shop', 'metadata[key]'],
    ['balance/entries?king=refund', 'king', 'kind'],
    ['events?type=gift.claimed', 'type', 'types'],
    ['contacts?tags=vip', 'tags', 'tag'],
  ];
  for (const [path, param, meant] of unknown) {
    const answer = await organization.sandbox.get(`/v1/${path}`);
    assertRefused(answer, 'parameter_invalid', param);
    const [, hint] = /Did you mean (.*?)\?/.exec(answer.body.error.message) ?? [];
    assert.equal(hint, meant, path);
  }
  const long = await organization.sandbox.get(`/v1/orders?${'x'.repeat(5_000)}=1`);
  assertRefused(long, 'parameter_invalid', 'x'.repeat(64));
});

test('every operation that needs a key refuses unknown parameters, before it acts', async () => {
  const needNoKey = ['getHealth', 'getOpenapi'];
  const operations = describedOperations().filter(({ operationId }) => !needNoKey.includes(operationId));
  assert.ok(operations.length > 35);
  for (const { method, path } of operations) {
    const url = `${path.replace(/\{\w+\}/g, 'x')}?unknown_parameter=1`;
    const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
    const { status, body: answer } = await organization.sandbox.request(method, url, { body });
    assert.deepEqual([status, answer.error.param], [422, 'unknown_parameter'], `${method} ${path}`);
  }
});

test('empty parameters, other spellings and public addresses are as before', async () => {
  await organization.sandbox.order([linkGift()]);
  const { body: plain } = await organization.sandbox.get('/v1/orders');
  for (const query of ['', '&&', '='])
    assert.deepEqual((await organization.sandbox.get(`/v1/orders?${query}`)).body, plain, query);
  for (const query of ['%6Cimit=1', 'limit=%31'])
    assert.equal((await organization.sandbox.get(`/v1/orders?${query}`)).body.data.length, 1, query);
  assert.equal((await service.api().get('/v1/health?at=1')).status, 200);
});
