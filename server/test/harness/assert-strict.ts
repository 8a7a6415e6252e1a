import assert from 'node:assert/strict';

/** Checks that a page's policy allows everything on it, so the browser refuses nothing silently. */
export function assertStrict(document: string, mostBytes = 30_000): void {
  assert.doesNotMatch(document, /<style|\sstyle\s*=/i, 'inline style');
  assert.doesNotMatch(document, /<[^>]*\son[a-z]+\s*=/i, 'event handler');
  assert.doesNotMatch(document, /javascript:/i, 'script address');
  for (const [tag] of document.matchAll(/<script[^>]*>[^<]*/gi)) assert.match(tag, /<script [^>]*>$/, 'inline script');
  for (const [, address] of document.matchAll(/\s(?:src|data-url)="([^"]*)"/g)) assert.match(`${address}`, /^\/(?!\/)/);
  assert.equal([...document.matchAll(/<h1[ >]/g)].length, 1, 'one h1');
  assert.match(document, /<html lang="en">/);
  assert.match(document, /<main id="content"/);
  assert.ok(Buffer.byteLength(document) < mostBytes, `${Buffer.byteLength(document)} bytes`);
}
