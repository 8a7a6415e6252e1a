import assert from 'node:assert/strict';
import { test } from 'node:test';
import { english, formalGerman, type Key } from '../../../src/platform/languages/catalogue.ts';
import { argumentsOf } from '../../generated/text-arguments.ts';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { serve, temporaryDirectory } from '../../harness/server-process.ts';

// German that addresses people as “Sie”.

const INFORMAL =
  /\b(?:du|dich|dir|dein\w*)\b|(?:^|[.:] )(?:Gib|Öffne|Wähle|Prüfe|Komm|Lass|Frage?|Warte|Folge|Lade|Sag) /i;

test('no formal text says “du”, and each has the arguments of the English one', () => {
  assert.deepEqual(Object.keys(formalGerman).sort(), Object.keys(english).sort());
  for (const [key, text] of Object.entries(formalGerman)) {
    assert.doesNotMatch(text, INFORMAL, key);
    assert.deepEqual(argumentsOf(text), argumentsOf(english[key as Key]), key);
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
