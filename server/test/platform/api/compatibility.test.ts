import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { breakingChanges } from '../../generated/breaking-changes.ts';

// /v1 only grows (docs/decisions.md#versioning). `openapi-published.json` is the interface that clients were
// promised; when it has grown, replace it with openapi.json, never the other way round.

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const published = read('./openapi-published.json');

test('openapi.json stays compatible with the published document', () => {
  assert.deepEqual(breakingChanges(published, read('../../../../openapi.json')), []);
});

type Change = (document: ReturnType<typeof read>) => void;
const orders = '/v1/orders';

const breaking: Record<string, Change> = {
  'a path is gone': (d) => delete d.paths['/v1/gifts'],
  'a method is gone': (d) => delete d.paths[orders].get,
  'a success status is gone': (d) => delete d.paths[orders].post.responses['201'],
  'an answer lost a field': (d) => delete d.components.schemas.Gift.properties.amount,
  'a field of an answer is no longer always there': (d) => d.components.schemas.Gift.required.pop(),
  'a field of an answer has another type': (d) => {
    d.components.schemas.Gift.properties.amount.type = 'string';
  },
  'a field of an answer may be something new': (d) => {
    d.components.schemas.OrderList.properties.object.const = 'page';
  },
  'the error response lost a field': (d) => delete d.components.schemas.ApiError.properties.param,
  'a body needs a new field': (d) => {
    d.components.schemas.OrderInput.properties.note = { type: 'string' };
    d.components.schemas.OrderInput.required.push('note');
  },
  'a body may no longer have a field': (d) => delete d.components.schemas.PersonalizationInput.properties.sender_name,
  'a limit of a body is tighter': (d) => {
    d.components.schemas.GiftInput.properties.amount.maximum = 40000;
  },
  'a shape of a body is gone': (d) => d.components.schemas.DeliveryInput.oneOf.pop(),
  'a query parameter is gone': (d) => d.paths[orders].get.parameters.pop(),
  'an optional parameter must be sent': (d) => {
    d.paths[orders].get.parameters[0].required = true;
  },
  'an optional body must be sent': (d) => {
    d.paths['/v1/sandbox/gifts/{gift_id}/deliver'].post.requestBody.required = true;
  },
  'a text of a body must match another pattern': (d) => {
    d.components.schemas.EmailDelivery.properties.email.pattern = '^[a-z]+@[a-z.]+$';
  },
  'an answer lost a header': (d) => delete d.paths[orders].post.responses['200'].headers['Idempotent-Replayed'],
  'an answer may lack a header': (d) => {
    d.components.headers['Request-Id'].required = false;
  },
  'an operation without a key wants one': (d) => {
    d.paths['/v1/health'].get.security = [{ apiKey: [] }];
  },
};

for (const [name, change] of Object.entries(breaking))
  test(`the check sees that ${name}`, () => {
    const changed = structuredClone(published);
    change(changed);
    assert.notDeepEqual(breakingChanges(published, changed), []);
  });

test('a new path, field, status or error code is compatible', () => {
  const grown = structuredClone(published);
  grown.paths['/v1/new'] = grown.paths['/v1/health'];
  grown.components.schemas.Gift.properties.note = { type: 'string' };
  grown.components.schemas.GiftInput.properties.note = { type: 'string' };
  grown.components.schemas.ApiError.properties.code['x-extensible-enum'].push('new_code');
  grown.components.schemas.GiftDelivery.properties.status['x-extensible-enum'].push('held');
  grown.paths[orders].get['x-errors']['410'] = ['new_code'];
  assert.deepEqual(breakingChanges(published, grown), []);
});
