import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closestOf } from '../../src/catalog/category-hint.ts';
import { linkGift } from '../harness/api-client.ts';
import { startTestService } from '../harness/test-service.ts';

test('an unknown category is answered with the categories there are, and the one that is meant', async () => {
  const service = await startTestService();
  const { sandbox } = await service.organization();
  const messageOf = async (category: string) => {
    const { status, body } = await sandbox.order([
      { ...linkGift(), category: 'books' },
      { ...linkGift(), category },
    ]);
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'parameter_invalid', 'gifts[1].category']);
    return body.error.message;
  };
  const unknown = 'gifts[1].category is not a category of the catalog.';
  const listed = 'The categories are: coffee, books, travel.';
  assert.equal(await messageOf('cofee'), `${unknown} Did you mean coffee? ${listed}`);
  assert.equal(await messageOf('Books'), `${unknown} Did you mean books? ${listed}`);
  assert.equal(await messageOf('something else'), `${unknown} ${listed}`);
  await service.sql(`update categories set retired_at = now() where category_id = 'coffee'`);
  assert.equal(await messageOf('cofee'), `${unknown} The categories are: books, travel.`);
  for (let n = 0; n < 20; n += 1) await service.addCategory(`more-${n}`);
  assert.equal(await messageOf('something else'), `${unknown} GET /v1/categories lists all 22.`);
});

test('only a slip of an id suggests another', () => {
  const ids = ['coffee', 'books', 'any'];
  assert.deepEqual(
    ['cofffe', 'bokks', 'an', 'tea', '', 'c', 'x'.repeat(10_000)].map((given) => closestOf(given, ids)),
    ['coffee', 'books', 'any', undefined, undefined, undefined, undefined],
  );
});
