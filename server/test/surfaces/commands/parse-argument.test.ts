import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import * as parse from '../../../src/faces/command-line/parse-argument.ts';

test('an amount is a whole number of cents from 1 to the maximum balance', () => {
  assert.equal(parse.parseAmount('1'), 1);
  assert.equal(parse.parseAmount('9007199254740991'), 9007199254740991);
  for (const text of ['', '0', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '9007199254740992', '1'.repeat(20)])
    assert.throws(() => parse.parseAmount(text), InvalidArgumentError, text);
});

test('a correction is signed and not zero', () => {
  assert.equal(parse.parseSignedAmount('-500'), -500);
  assert.equal(parse.parseSignedAmount('+500'), 500);
  for (const text of ['', '0', '-0', '--1', '-', '1.5', '-9007199254740992'])
    assert.throws(() => parse.parseSignedAmount(text), InvalidArgumentError, text);
});

test('a name is 1 to 200 code points on one line', () => {
  assert.equal(parse.parseName('  Ann’s Café  '), 'Ann’s Café');
  assert.equal(parse.parseName('🎁'.repeat(200)), '🎁'.repeat(200));
  for (const text of ['', '  ', 'a\nb', 'a\u2028b', 'x'.repeat(201)])
    assert.throws(() => parse.parseName(text), InvalidArgumentError, text);
});

test('artwork is an https URL or a path of this service', () => {
  for (const text of ['https://example.com/a.png', '/artwork/tea.svg', '/a?b=c'])
    assert.equal(parse.parseAddress(text), text);
  for (const text of [
    '',
    '/',
    '//evil.test/a',
    '/\\evil.test',
    'http://example.com',
    'javascript:alert(1)',
    'a.png',
    '/a b',
  ])
    assert.throws(() => parse.parseAddress(text), InvalidArgumentError, text);
});

test('a category’s id is a slug', () => {
  assert.equal(parse.parseCategoryId('ice-cream-2'), 'ice-cream-2');
  for (const text of ['', '-a', 'Tea', 'a_b', 'é', 'a'.repeat(64)])
    assert.throws(() => parse.parseCategoryId(text), InvalidArgumentError, text);
});

test('a listener begins with a sequence, or with 0', () => {
  assert.deepEqual(['0', '1', '17'].map(parse.parseAfter), [0, 1, 17]);
  for (const text of ['', '-1', '00', '1.5', '1e3']) assert.throws(() => parse.parseAfter(text), InvalidArgumentError);
});

test('an email address follows the API’s rule', () => {
  assert.equal(parse.parseEmail("o'hara+x@mail.example.com"), "o'hara+x@mail.example.com");
  for (const text of ['', 'a', '.a@b.co', 'a..b@c.co', 'a@b', 'a@b.c', 'a b@c.co', `${'a'.repeat(250)}@b.co`])
    assert.throws(() => parse.parseEmail(text), InvalidArgumentError, text);
});

test('a time is a day or a time in UTC that exists', () => {
  assert.equal(parse.parseTime('2028-02-29').toISOString(), '2028-02-29T00:00:00.000Z');
  assert.equal(parse.parseTime('2027-01-31T18:00Z').toISOString(), '2027-01-31T18:00:00.000Z');
  for (const text of ['', '2027-02-31', '2027-02-29', '2027-04-31T18:00Z', '2027-13-01', '2027-01-31T25:00Z', 'today'])
    assert.throws(() => parse.parseTime(text), InvalidArgumentError, text);
});

test('no parser returns null, of which commander makes an empty text', () => {
  for (const [name, parser] of Object.entries(parse).filter(([name]) => name.startsWith('parse')))
    for (const text of ['', '0', '1', 'off', 'none', 'null'])
      try {
        assert.notEqual((parser as (text: string) => unknown)(text) ?? null, null, `${name} of ${text}`);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
      }
});
