import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStrict } from '../pages/assert-strict.ts';
import { expiredLinkPage, linkPage, unknownLinkPage } from './page.ts';

const gift = {
  senderName: 'Acme',
  recipientName: 'Ada',
  categoryName: 'Coffee',
  artwork: '/artwork/coffee.svg',
  isClaimed: false,
};

const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</bdi></h1><a href="https://evil.example">',
  '{{7*7}} !<b>',
  '\u202egnp.exe\u202c \u2066x',
];

for (const name of HOSTILE_NAMES)
  test(`${JSON.stringify(name)} is text wherever a name stands`, () => {
    const document = linkPage({ ...gift, senderName: name, recipientName: name, categoryName: name });
    assertStrict(document.replaceAll(/onerror|onmouseover/g, 'on'));
    assert.doesNotMatch(document, /<script|<img src&#61;|<img src=x|<a href="https|<b>/);
    const isolated = [...document.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, text]) => text);
    assert.equal(isolated.length, 3);
    const shown = `${isolated[0]}`.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    assert.equal(shown, name);
  });

test('the page says from whom, for whom and what, and no amount', () => {
  const document = linkPage(gift);
  assertStrict(document);
  assert.match(document, /<h1>A gift for <bdi>Ada<\/bdi><\/h1>/);
  assert.match(document, /from <bdi>Acme<\/bdi>/);
  assert.match(document, /<bdi>Coffee<\/bdi>/);
  assert.doesNotMatch(document, /\$|USD|cents/);
});

test('without a recipient’s name it speaks to the reader', () => {
  assert.match(linkPage({ ...gift, recipientName: undefined }), /<h1>A gift for you<\/h1>/);
});

test('a claimed gift is said to be claimed', () => {
  assert.match(linkPage({ ...gift, isClaimed: true }), /has been claimed/);
});

test('no page behind a link is for search engines, or leads into the documentation', () => {
  for (const document of [linkPage(gift), linkPage({ ...gift, artwork: null }), expiredLinkPage(), unknownLinkPage()]) {
    assertStrict(document);
    assert.match(document, /<meta name="robots" content="noindex, nofollow">/);
    assert.doesNotMatch(document, /\/docs/);
  }
});
