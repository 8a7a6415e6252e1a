import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { holdGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { catalogue, type ErrorCode } from '../../../src/platform/base/errors.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { type Answer, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertCommonHeaders, assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The contract's table of errors: the catalogue, the interface, the page of errors and the
// OpenAPI document are held against it.
const table = `
api_key_missing 401 authentication_error after_fix
api_key_invalid 401 authentication_error after_fix
api_key_revoked 401 authentication_error after_fix
api_key_environment_mismatch 401 authentication_error after_fix
organization_suspended 403 authentication_error no
resource_missing 404 invalid_request_error no
parameter_invalid 422 invalid_request_error after_fix
cursor_invalid 422 invalid_request_error after_fix
request_body_invalid 400 invalid_request_error after_fix
request_body_too_large 413 invalid_request_error after_fix
gift_already_redeemed 422 invalid_request_error no
gift_already_delivered 422 invalid_request_error no
gift_resend_limit_reached 422 invalid_request_error no
gift_delivery_not_updatable 422 invalid_request_error no
gift_canceled 422 invalid_request_error no
gift_scheduled 422 invalid_request_error after_fix
gift_not_scheduled 422 invalid_request_error no
gift_on_hold 422 invalid_request_error after_fix
idempotency_key_reused 409 invalid_request_error no
external_id_taken 409 invalid_request_error after_fix
organization_not_configured 422 invalid_request_error after_fix
insufficient_balance 402 insufficient_balance_error after_fix
rate_limit_exceeded 429 rate_limit_error yes
sandbox_missing 404 invalid_request_error after_fix
gift_not_claimed 422 invalid_request_error after_fix
sandbox_endpoint_only 403 invalid_request_error no
gift_delivery_not_simulatable 422 invalid_request_error after_fix
webhook_endpoint_limit_reached 422 invalid_request_error after_fix
resource_locked 409 api_error yes
idempotency_in_progress 409 api_error yes
internal_error 500 api_error yes`
  .trim()
  .split('\n')
  .map((line) => {
    const [code = '', status, type = '', retry = ''] = line.split(' ');
    return { code, status: Number(status), type, retry };
  });

const service = openForFile(() => startTestService());
/** Orders one gift and calls the sandbox on it, one act after another; the last answer. */
async function simulate({ sandbox }: TestOrganization, one: object, ...acts: string[]): Promise<Answer> {
  const { body } = await sandbox.order([one]);
  let answer: Answer | undefined;
  for (const act of acts) answer = await sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/${act}`);
  assert.ok(answer);
  return answer;
}

async function redirect({ sandbox }: TestOrganization, from: string, times: number): Promise<Answer> {
  const { body } = await sandbox.order([emailGift(from)]);
  const path = `/v1/gifts/${body.gifts[0].gift_id}/delivery`;
  const redirectOnce = (time: number) =>
    sandbox.put(path, { method: 'email', email: `bounced+${time}@sandbox.gift.test` });
  for (let time = 1; time < times; time += 1) assert.equal((await redirectOnce(time)).status, 200);
  return redirectOnce(times);
}

/** Holds rows or a table as another process would, while the act runs. */
async function whileHeld<Result>(text: string, act: () => Promise<Result>): Promise<Result> {
  await service.sql('begin');
  try {
    await service.sql(text);
    return await act();
  } finally {
    await service.sql('rollback');
  }
}

/** The lock that a request with the key holds while it runs in another process. */
function sameKeyElsewhere({ sandbox, organizationUuid }: TestOrganization): Promise<Answer> {
  const lock = createHash('sha256').update(`${organizationUuid} sandbox twice`).digest().readBigInt64BE();
  return whileHeld(`select pg_advisory_xact_lock(${lock})`, () => sandbox.order([gift()], 'twice'));
}

async function withRevokedKey({ organizationId, keys }: TestOrganization): Promise<Answer> {
  const [row] = await service.sql<{ key_id: string }>('select key_id from api_keys where hash = $1', [
    hashKey(keys.live),
  ]);
  await revokeKey(service.service.deps, { organizationId, keyId: encodeId('key', row?.key_id ?? ''), actor: OPERATOR });
  return service.api(keys.live).get('/v1/orders');
}

async function onSecondService(variables: Record<string, string>, key: string, calls: number): Promise<Answer> {
  const second = await service.second(variables);
  for (let call = 1; call < calls; call += 1) assert.equal((await second.api(key).get('/v1/orders')).status, 200);
  const answer = await second.api(key).get('/v1/orders');
  await second.close();
  return answer;
}

const reach: Record<ErrorCode, (organization: TestOrganization) => Promise<Answer>> = {
  api_key_missing: () => service.api().get('/v1/orders'),
  api_key_invalid: () => service.api('bestow-unknown').get('/v1/orders'),
  api_key_revoked: withRevokedKey,
  api_key_environment_mismatch: ({ keys }) => onSecondService({ SERVE_ENVIRONMENTS: 'live' }, keys.sandbox, 1),
  async organization_suspended({ organizationId, live }) {
    await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
    return live.get('/v1/orders');
  },
  resource_missing: ({ live }) => live.get('/v1/orders/ord_01k0fxw4mze6hv3tqx4d5s8r2n'),
  parameter_invalid: ({ live }) => live.order([gift({ amount: 999 })]),
  cursor_invalid: ({ live }) => live.get('/v1/gifts?ending_before=gift_01k0fxw4mzejhtt6k1sqh3p5cg'),
  request_body_invalid: ({ live }) => live.post('/v1/orders', 'not JSON'),
  request_body_too_large: ({ live }) => live.post('/v1/orders', ' '.repeat(1_048_577)),
  gift_already_redeemed: (organization) => simulate(organization, linkGift(), 'claim', 'claim'),
  gift_already_delivered: (organization) => simulate(organization, gift(), 'deliver', 'deliver'),
  async webhook_endpoint_limit_reached({ live }) {
    const add = () => live.post('/v1/webhook_endpoints', { url: 'https://shop.example/' });
    for (let n = 0; n < 10; n += 1) assert.equal((await add()).status, 201);
    return add();
  },
  gift_resend_limit_reached: (organization) => redirect(organization, 'bounced', 6),
  gift_delivery_not_updatable: (organization) => redirect(organization, 'delivered', 1),
  async gift_canceled(organization) {
    const [{ gift_id }] = (await organization.sandbox.order([linkGift()])).body.gifts;
    await organization.sandbox.post(`/v1/gifts/${gift_id}/cancel`);
    return organization.sandbox.post(`/v1/gifts/${gift_id}/link`);
  },
  async gift_scheduled({ sandbox }) {
    const [{ gift_id }] = (await sandbox.order([gift({ send_at: '2027-01-02T09:00:00Z' })])).body.gifts;
    return sandbox.post(`/v1/gifts/${gift_id}/link`);
  },
  async gift_not_scheduled({ sandbox }) {
    const [{ gift_id }] = (await sandbox.order([gift()])).body.gifts;
    return sandbox.post(`/v1/gifts/${gift_id}/schedule`, { send_at: '2027-01-02T09:00:00Z' });
  },
  async gift_on_hold(organization) {
    const { organizationId, sandbox } = organization;
    const [{ gift_id }] = (await sandbox.order([linkGift()])).body.gifts;
    await holdGifts(service.service.deps, { organizationId, actor: OPERATOR });
    return sandbox.post(`/v1/gifts/${gift_id}/link`);
  },
  async idempotency_key_reused({ live }) {
    await live.order([gift()], 'reused');
    return live.order([linkGift()], 'reused');
  },
  async external_id_taken({ live }) {
    const order = (key: string) =>
      live.post('/v1/orders', { gifts: [linkGift()], external_id: 'taken' }, { 'Idempotency-Key': key });
    await order('first with it');
    return order('second with it');
  },
  async organization_not_configured({ live, deactivate, addMembers }) {
    const { first, second } = await addMembers();
    await deactivate(first);
    await deactivate(second);
    return live.order([gift()]);
  },
  insufficient_balance: ({ live }) => live.order(Array(10).fill(gift({ amount: 50_000 }))),
  rate_limit_exceeded: ({ keys }) => onSecondService({ RATE_LIMIT_BURST: '1' }, keys.live, 2),
  async sandbox_missing({ organizationId, sandbox }) {
    await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
    return sandbox.get('/v1/orders');
  },
  gift_not_claimed: (organization) => simulate(organization, linkGift(), 'spend'),
  sandbox_endpoint_only: ({ live }) => live.post('/v1/sandbox/reset'),
  gift_delivery_not_simulatable: (organization) => simulate(organization, linkGift(), 'deliver'),
  resource_locked: ({ live, organizationUuid }) =>
    whileHeld(`select 1 from balances where organization_id = '${organizationUuid}' for update`, () =>
      live.order([gift()]),
    ),
  idempotency_in_progress: sameKeyElsewhere,
  internal_error: ({ sandbox }) => sandbox.order([emailGift('internal-error')]),
};

const params: Partial<Record<string, string>> = {
  parameter_invalid: 'gifts[0].amount',
  cursor_invalid: 'ending_before',
  idempotency_key_reused: 'Idempotency-Key',
};

test('the table has all codes, and the catalogue is the table', () => {
  assert.equal(new Set(table.map(({ code }) => code)).size, table.length);
  const entries = Object.entries(catalogue).map(([code, { status, type, retry }]) => ({ code, status, type, retry }));
  assert.deepEqual(entries, table);
});

for (const { code, status, type, retry } of table)
  test(`${code} is reachable over HTTP: ${status} ${type}, retry ${retry}`, async () => {
    const organization = await service.organization({ live: 100_000, sandbox: 100_000 });
    const answer = await reach[code as ErrorCode](organization);
    assertRefused(answer, code as ErrorCode, params[code]);
    // Not by the catalogue this time, but by the table.
    const { headers, body } = answer;
    const { message } = body.error;
    assert.equal(answer.status, status);
    assert.deepEqual(body, {
      error: {
        type,
        code,
        message,
        ...(params[code] === undefined ? {} : { param: params[code] }),
        ...(code === 'external_id_taken' ? { order_id: body.error.order_id } : {}),
        doc_url: body.error.doc_url,
        request_id: headers.get('request-id'),
      },
    });
    assert.match(body.error.doc_url, new RegExp(`^http://localhost:\\d+/docs/errors#${code}$`));
    assertCommonHeaders(answer);
    assert.equal(headers.get('retry-after'), retry === 'yes' ? '1' : null);
    assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null);
  });

test('doc_url begins with PUBLIC_URL, and HTTPS is required', async () => {
  const second = await service.second({ PUBLIC_URL: 'https://gifts.example/' });
  const { body, headers } = await second.api().get('/v1/orders');
  assert.equal(body.error.doc_url, 'https://gifts.example/docs/errors#api_key_missing');
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
  assert.equal((await service.api().get('/v1/orders')).headers.get('strict-transport-security'), null);
  await second.close();
});

test('the errors page has each code’s anchor, status, type and retry class', async () => {
  const { status, body: page } = await service.api().get('/docs/errors');
  assert.equal(status, 200);
  for (const { code, status: itsStatus, type, retry } of table) {
    const [before = '', entry = '', ...others] = page.split(`id="${code}"`);
    assert.ok(before.length > 0 && others.length === 0, `one anchor ${code}`);
    const [text = ''] = entry.split('</article>');
    assert.match(text, new RegExp(`Status ${itsStatus} · <code>${type}</code> · retry: <code>${retry}</code>`));
  }
});

test('an operation of the OpenAPI document answers each code with its status', async () => {
  const { body: document } = await service.api().get('/v1/openapi.json');
  const { code: codeText, type: typeText } = document.components.schemas.ApiError.properties;
  assert.deepEqual(
    codeText['x-extensible-enum'],
    table.map(({ code }) => code),
  );
  assert.deepEqual(new Set(typeText['x-extensible-enum']), new Set(table.map(({ type }) => type)));
  const answered = new Set<string>();
  for (const methods of Object.values<Record<string, Documented>>(document.paths))
    for (const { 'x-errors': errors } of Object.values(methods))
      for (const [status, codes] of Object.entries(errors)) for (const code of codes) answered.add(`${code} ${status}`);
  assert.deepEqual([...answered].sort(), table.map(({ code, status }) => `${code} ${status}`).sort());
});

interface Documented {
  'x-errors': Record<string, string[]>;
}
