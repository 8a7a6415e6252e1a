import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/platform/base/id-time.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openLink, startTestService, type TestService } from '../../harness/test-service.ts';

async function cardPage(service: TestService, language = 'en'): Promise<string> {
  const { sandbox } = await service.organization();
  const { link } = (await sandbox.order([linkGift()])).body.gifts[0].delivery;
  for (const act of ['open', 'claim']) await fetch(`${link}/${act}`, { method: 'POST', redirect: 'manual' });
  return (await openLink(service, `${link}?lang=${language}`)).text;
}

const help = (page: string) => /<section class="help"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';

test('the help beside a card names the operator, in any language', async () => {
  const service = await startTestService({
    OPERATOR_NAME: 'Gifts & <Sons>',
    OPERATOR_EMAIL: 'help@example.com',
    OPERATOR_URL: 'https://example.com/help?a=1&b=2',
  });
  for (const language of ['en', 'ar', 'ja']) {
    const shown = help(await cardPage(service, language));
    assert.match(shown, /<bdi>Gifts &#38; &#60;Sons&#62;<\/bdi>/);
    assert.match(shown, /<a href="mailto:help@example.com"><bdi>help@example.com<\/bdi><\/a>/);
    assert.match(shown, /<a href="https:\/\/example.com\/help\?a&#61;1&#38;b&#61;2" rel="noreferrer">/);
  }
});

test('without the settings, the help names only the organization', async () => {
  const shown = help(await cardPage(await startTestService()));
  assert.match(shown, /Ask <bdi>/);
  assert.doesNotMatch(shown, /operator|mailto:/);
});

test('a link that opens no gift, or has expired without a way to renew it, names the operator', async () => {
  const service = await startTestService({ OPERATOR_EMAIL: 'help@example.com' });
  const { sandbox } = await service.organization();
  const { link } = (await sandbox.order([linkGift()])).body.gifts[0].delivery;
  await service.clock.jump(31 * DAY_MS);
  for (const [url, status] of [
    [link, 410],
    ['/g/nothing', 404],
  ] as const) {
    const answer = await openLink(service, url);
    assert.equal(answer.status, status);
    assert.match(answer.text, /href="mailto:help@example.com"/);
  }
});
