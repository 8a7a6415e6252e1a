import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { artworkFiles, mailArtworkUrl } from '../../../src/core/catalog/artwork.ts';
import { builtInCategories } from '../../../src/core/catalog/built-in.ts';

test('each built-in category has an SVG and a PNG, and no others exist', () => {
  const files = readdirSync(new URL('../../../src/core/catalog/artwork/', import.meta.url)).sort();
  const drawings = builtInCategories.map(({ artwork }) => artwork.replace('/artwork/', ''));
  assert.deepEqual(files, [...drawings, ...drawings.map((file) => file.replace('.svg', '.png'))].sort());
  assert.deepEqual(files, [...artworkFiles.keys()].sort());
});

test('each built-in category has a slug, a name, a description and details', () => {
  for (const { id, name, description, details } of builtInCategories) {
    assert.match(id, /^[a-z0-9][a-z0-9-]{0,62}$/);
    assert.ok(name.length > 0 && details.introduction.length > 0 && details.suits.length === 3);
    assert.ok(description.length <= 120 && description.includes('Suits'), description);
  }
});

const ofKind = (ending: string) => [...artworkFiles].filter(([file]) => file.endsWith(ending));

for (const [file, { content, contentType }] of ofKind('.png'))
  test(`${file} is 600 pixels wide and at most 60 kB`, () => {
    assert.equal(contentType, 'image/png');
    assert.equal(content.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([content.readUInt32BE(16), content.readUInt32BE(20)], [600, 378]);
    assert.ok(content.length <= 60_000, `${content.length} bytes`);
  });

test('mail programs get only artwork that they can show', () => {
  const shown = (artwork: string | null) => mailArtworkUrl(artwork, 'https://gifts.test');
  assert.equal(shown('/artwork/coffee.svg'), 'https://gifts.test/artwork/coffee.png');
  assert.equal(shown('https://images.test/tea.jpg'), 'https://images.test/tea.jpg');
  for (const none of [null, 'https://images.test/tea.svg', 'https://images.test/tea.SVG?v=2'])
    assert.equal(shown(none), null);
});

for (const [file, { content }] of ofKind('.svg'))
  test(`${file} is small, has no text or script, and refers only to itself`, () => {
    const svg = content.toString();
    assert.ok(content.length < 12_000, `${content.length} bytes`);
    assert.match(
      svg,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 1200 756" width="1200" height="756">/,
    );
    assert.doesNotMatch(svg, /<(script|style|text|image|foreignObject|a|iframe)\b|\sstyle=|\son[a-z]+=|<!|@import/i);
    for (const [, target] of svg.matchAll(/href="([^"]*)"/g)) assert.match(`${target}`, /^#/);
    for (const [, target] of svg.matchAll(/url\(([^)]*)\)/g)) assert.match(`${target}`, /^#/);
    const ids = [...svg.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `${id}`);
    for (const [, id] of svg.matchAll(/#([a-z0-9]+)[")](?!\s*stop)/gi)) {
      if (!/^[0-9a-f]{3}([0-9a-f]{3})?$/i.test(`${id}`)) assert.ok(ids.includes(`${id}`), `#${id}`);
    }
  });
