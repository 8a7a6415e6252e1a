import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { encryptAgain } from '../../../src/capabilities/secret-rotation/encrypt-again.ts';
import { createCipher } from '../../../src/platform/encryption/cipher.ts';
import { checkSecrets } from '../../../src/surfaces/doctor/check-secrets.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { until } from '../../harness/server-process.ts';
import { LINK_SECRET, startTestService, testConfig } from '../../harness/test-service.ts';
import { addTestEndpoint } from '../../harness/webhooks.ts';

const FIRST = '4b0d1a5a5a0f4c0d8f1f2c62d1f9b9b4';
const SECOND = '91e0c6f3a7d24bb5b6a6a1c9d3f58e07';

const service = openForFile(() => startTestService({}));

test('a start with another first LINK_SECRET encrypts the secrets again', async () => {
  const [{ deps }, organization] = [service.service, await service.organization()];
  const [cipher, unused] = [createCipher([FIRST]), createCipher([SECOND])];
  const { endpointId, secret } = await addTestEndpoint(service, organization, 'https://shop.example/in');
  const rows = () =>
    service.sql<{ secret: string; previous_secret: string; earlier_secrets: string[] }>(
      'select secret, previous_secret, earlier_secrets from webhook_endpoints where endpoint_id = $1',
      [endpointId],
    );
  await service.sql(
    `update webhook_endpoints set secret = $1, previous_secret = $2, previous_secret_until = now(),
       earlier_secrets = $3, earlier_secrets_until = array[now(), now(), now()]`,
    [cipher.encrypt(secret), cipher.encrypt('earlier'), ['a', 'b', 'c'].map((text) => cipher.encrypt(text))],
  );
  const state = async (LINK_SECRET: string) =>
    (await checkSecrets(testConfig({ LINK_SECRET }), deps.database)).map((finding) => finding.state);
  assert.deepEqual(await state(FIRST), ['ok']);
  assert.deepEqual(await state(`${SECOND},${FIRST}`), ['warning']);
  const started = await service.second({}, [SECOND, FIRST]);
  await until(
    async () => unused.decrypt((await rows())[0]?.secret ?? '') !== undefined,
    'the secret is encrypted again',
  );
  await started.close();
  const [row] = await rows();
  assert.equal(unused.decrypt(row?.secret ?? ''), secret);
  assert.equal(unused.decrypt(row?.previous_secret ?? ''), 'earlier');
  assert.deepEqual(
    row?.earlier_secrets.map((text) => unused.decrypt(text)),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(await state(`${SECOND},${FIRST}`), ['ok']);
  assert.deepEqual(await state(SECOND), ['ok']);
  assert.deepEqual(await state(FIRST), ['fault']);
});

test('a secret that no LINK_SECRET opens stays as it is', async () => {
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, 'https://shop.example/in');
  const secretOf = () =>
    service.sql<{ secret: string }>('select secret from webhook_endpoints where endpoint_id = $1', [endpointId]);
  const before = await secretOf();
  await encryptAgain({ ...service.service.deps, cipher: createCipher([FIRST, SECOND]) });
  assert.deepEqual(await secretOf(), before);
  await encryptAgain({ ...service.service.deps, cipher: createCipher([FIRST, LINK_SECRET]) });
  assert.notDeepEqual(await secretOf(), before);
});

test('settings of issuers, own codes and links of gifts are encrypted again too', async () => {
  const { deps } = service.service;
  const { organizationUuid: organizationId, live } = await service.organization();
  await addIssuer(deps, { organizationId, kind: 'codes', settings: {}, actor: OPERATOR });
  const csv =
    'value,code,pin,expires,shop,terms_url\n25.00,CODE,4711,2027-11-30,Corner Shop,https://shop.example/terms';
  await uploadCodes(deps, { organizationId, categoryId: 'coffee', csv, actor: OPERATOR });
  const { link } = (await live.order([linkGift(2_500)])).body.gifts[0].delivery;
  await createRecipient(service).press(link, 'claim');
  const sealedLink = deps.cipher.encrypt('"a link"');
  await service.sql('update cards set sealed = $2 where organization_id = $1', [organizationId, sealedLink]);
  await encryptAgain({ ...deps, cipher: createCipher([FIRST, LINK_SECRET]) });
  const rows = await service.sql<{ sealed: string }>(
    `select settings as sealed from issuers where organization_id = $1
     union all select sealed from shop_codes where organization_id = $1
     union all select sealed from cards where organization_id = $1`,
    [organizationId],
  );
  assert.deepEqual(
    rows.map(({ sealed }) => JSON.parse(createCipher([FIRST]).decrypt(sealed) ?? 'null')),
    [{}, { code: 'CODE', pin: '4711' }, 'a link'],
  );
});
