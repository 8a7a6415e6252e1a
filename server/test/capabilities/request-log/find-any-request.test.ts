import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { untilLogged } from '../../harness/request-log.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('the operator finds a request by the id that a customer names', async () => {
  const organization = await service.organization();
  const { headers, body } = await organization.live.order([linkGift(1)]);
  await untilLogged(service, organization, 'live', 1);
  const id = headers.get('request-id') ?? '';
  const { code, stdout } = await runBestow(service.target, ['request', ` ${id.toUpperCase()} `, '--json']);
  assert.equal(code, 0);
  const { organization_id, environment, request_id, status, error_code, error_param } = JSON.parse(stdout);
  assert.deepEqual(
    { organization_id, environment, request_id, status, error_code, error_param },
    {
      organization_id: organization.organizationId,
      environment: 'live',
      request_id: id,
      status: 422,
      error_code: body.error.code,
      error_param: 'gifts[0].amount',
    },
  );
  const shown = await runBestow(service.target, ['request', id]);
  assert.match(shown.stdout, /^field +gifts\[0\]\.amount$/m);
  for (const [unknown, words] of [
    ['req_01k0fxw4mzejhtt6k1sqh3p5cg', /^The log has no request req_/],
    ['gift_1', /which begins with req_/],
  ] as const) {
    const refused = await runBestow(service.target, ['request', unknown]);
    assert.deepEqual([refused.code, words.test(refused.stderr)], [1, true], refused.stderr);
  }
});
