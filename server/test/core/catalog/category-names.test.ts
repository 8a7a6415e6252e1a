import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCategory } from '../../../src/core/catalog/add-category.ts';
import { builtInCategories } from '../../../src/core/catalog/built-in.ts';
import { nameIn } from '../../../src/core/catalog/category-names.ts';
import { updateCategory } from '../../../src/core/catalog/update-category.ts';
import { showMessage } from '../../../src/core/delivery/show-message.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { english, type Key } from '../../../src/platform/languages/catalogue.ts';
import { LANGUAGES, languageTags } from '../../../src/platform/languages/languages.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { startTestService } from '../../harness/test-service.ts';

// What recipients read of a category, in their language.

const service = openForFile(() => startTestService());
const coffee = builtInCategories[0] ?? assert.fail('no coffee');

/** The page of a new, opened gift. */
async function pageIn(language: string, category = 'coffee'): Promise<string> {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([{ ...linkGift(), category, language }]);
  const recipient = createRecipient(service);
  await recipient.press(body.gifts[0].delivery.link, 'open');
  return (await recipient.view(body.gifts[0].delivery.link)).text;
}

const heading = (text: string) => /<h1>(.*)<\/h1>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? '';

test('every built-in category has a name in every language', () => {
  for (const { id: shown_category_id, name: category_name } of builtInCategories) {
    assert.equal(english[`category.${shown_category_id}` as Key], category_name);
    for (const language of languageTags) {
      const name = nameIn(language, { shown_category_id, category_name, category_names: null });
      const isSame = language === 'en' || ['wellness', 'fashion'].includes(shown_category_id);
      assert.ok(name !== '' && (isSame || name !== category_name), `${shown_category_id} ${LANGUAGES[language]}`);
    }
  }
});

test('a page names a built-in category in its language, and one with another name as the operator does', async () => {
  const { deps } = service.service;
  await updateCategory(deps, 'coffee', { name: coffee.name, description: coffee.description });
  assert.match(heading(await pageIn('en')), / for Coffee$/);
  assert.match(heading(await pageIn('de')), / für Kaffee$/);
  assert.match(heading(await pageIn('ar')), / لفئة القهوة$/);
  await updateCategory(deps, 'coffee', { names: { de: 'Bohnen', en: 'beans' } });
  assert.deepEqual(
    [heading(await pageIn('de')), heading(await pageIn('en'))],
    ['25,00\u00a0$ für Bohnen', '$25.00 for beans'],
  );
  await updateCategory(deps, 'coffee', { names: { de: null, en: null }, name: 'Bean bar' });
  assert.match(heading(await pageIn('de')), / für Bean bar$/);
  await updateCategory(deps, 'coffee', { name: coffee.name });
});

test('messages and choices are in the language too, and the catalog of the API is not', async () => {
  const { deps } = service.service;
  await updateCategory(deps, 'coffee', { name: coffee.name, description: coffee.description });
  await addCategory(deps, {
    id: 'any',
    name: 'Anything',
    description: 'The recipient chooses.',
    names: { fr: 'tout' },
  });
  const choice = await pageIn('fr', 'any');
  assert.match(choice, /le café/);
  assert.ok(!choice.includes(coffee.description));
  assert.ok((await pageIn('en', 'any')).includes(coffee.description));
  const organization = await service.organization();
  const ordered = await organization.sandbox.order([gift({ language: 'it' })]);
  const giftId = decodeId('gift', ordered.body.gifts[0].gift_id) ?? '';
  await service.sql('update organizations set messages_show_value = true where organization_id = $1', [
    organization.organizationUuid,
  ]);
  const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
  assert.match((await showMessage(deps, scope, giftId, 1)).text, /25,00.* per il caffè/);
  const { body } = await organization.sandbox.get('/v1/categories');
  assert.deepEqual(Object.keys(body.data[0]).sort(), ['artwork', 'description', 'id', 'name', 'product_details_url']);
});
