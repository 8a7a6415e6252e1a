import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogues } from '../../../src/platform/languages/catalogues.ts';
import { formal } from '../../../src/platform/languages/de/formal.ts';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { serve, temporaryDirectory } from '../../harness/server-process.ts';

// German that addresses people as “Sie”.

const INFORMAL =
  /\b(?:du|dich|dir|dein\w*)\b|(?:^|[.:] )(?:Gib|Öffne|Wähle|Prüfe|Komm|Lass|Frage?|Warte|Folge|Lade|Sag) /i;

test('no formal text says “du”, and each has the places of the informal one', () => {
  const places = (text: string) => [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name).sort();
  for (const [key, text] of Object.entries({ ...catalogues.de, ...formal })) {
    assert.doesNotMatch(text, INFORMAL, key);
    assert.deepEqual(places(text), places(catalogues.de[key as keyof typeof catalogues.de]), key);
  }
});

test('with GERMAN_ADDRESS=formal a page says “Sie”', async (t) => {
  const server = serve(await temporaryDirectory(t), { LOG_LEVEL: 'silent', GERMAN_ADDRESS: 'formal' });
  const { address, sandboxKey } = await server.ready();
  const { body } = await createApiClient(address, sandboxKey).order([{ ...linkGift(), language: 'de' }]);
  const page = await (await fetch(address + new URL(body.gifts[0].delivery.link).pathname)).text();
  assert.match(page, /Ein Geschenk für Sie/);
  server.signal('SIGTERM');
  await server.ended;
});
