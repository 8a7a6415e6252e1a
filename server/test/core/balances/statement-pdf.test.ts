import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { addFunds } from '../../../src/core/balances/change-balance.ts';
import { LANGUAGES, type Language, languageTags } from '../../../src/platform/languages/languages.ts';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { programPath } from '../../harness/debian-programs.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

// The text of a statement's PDF, as another program reads it.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ live: 0 }));
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

/** What writes to and from the right is between marks. */
const plain = (text: string) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').normalize('NFKC');

function textOf(pdf: Buffer): string {
  const { stdout, stderr, status } = spawnSync(programPath('pdftotext'), ['-layout', '-', '-'], { input: pdf });
  assert.equal(status, 0, String(stderr));
  return plain(String(stdout));
}

async function download(query = '', headers: Record<string, string> = {}): Promise<Response> {
  const path = `/portal/api/organizations/${organization.organizationId}/live/balance/statements/2026-11/pdf`;
  return fetch(`${service.url}${path}${query}`, {
    headers: { ...headers, cookie: admin.cookie(), origin: service.url },
  });
}

async function print(query = '', headers: Record<string, string> = {}): Promise<{ pdf: Buffer; text: string }> {
  const answer = await download(query, headers);
  assert.equal(answer.status, 200);
  const pdf = Buffer.from(await answer.arrayBuffer());
  return { pdf, text: textOf(pdf) };
}

const rename = (name: string) =>
  service.sql('update organizations set name = $2 where organization_id = $1', [organization.organizationUuid, name]);

const names: Record<Language, string> = {
  en: 'Ada’s Coffee & Co. “The Daily”',
  de: 'Käthe Großmann Überweisungs-GmbH',
  fr: 'Société Œuvre & Cœur – Noël',
  es: 'Peñarol Niños S.A. ¿Sí?',
  it: 'Caffè Perché S.r.l.',
  'pt-BR': 'Fundação São João',
  nl: 'Geïnteresseerd B.V. € 5',
  pl: 'Łódzka Kawa Żółć Sp. z o.o.',
  ja: '株式会社ヤマダ',
  ar: 'شركة الهدايا',
};

const references: readonly string[] = [
  'Überweisung Łódź №5',
  'Ελληνικός Καφές',
  'Кофейня «Ёж» Ўзбек',
  'בית קפה',
  'ร้านกาแฟที่นี่',
  'हिन्दी क्षत्रिय',
  '中国咖啡公司',
  '臺灣咖啡館',
  '주식회사 한국',
  'Cà phê Việt Nam',
  'Gift 🎁 ☕',
];

before(async () => {
  for (const reference of references)
    await addFunds(service.service.deps, {
      organizationId: organization.organizationId,
      environment: 'live',
      amountCents: 100_000,
      reference,
      note: undefined,
      actor: OPERATOR,
    });
  assert.equal((await organization.live.order([linkGift(2_500)])).status, 201);
  await sealChains(service.service.deps);
});

for (const language of languageTags)
  test(`a statement in ${LANGUAGES[language]} has its organization’s name and its own words`, async () => {
    await rename(names[language]);
    const { pdf, text } = await print(`?language=${language}`);
    assert.ok(text.includes(plain(names[language])), text);
    assert.doesNotMatch(text.replaceAll(plain(names[language]), ''), /\?/);
    assert.ok(pdf.length < 150_000, `${pdf.length} bytes`);
  });

test('a statement has references in every writing', async () => {
  const { text } = await print('?language=en');
  // `pdftotext` puts words in Devanagari on lines of their own.
  for (const word of references.flatMap((reference) => reference.split(' ')))
    assert.ok(text.includes(plain(word)), `${word} in ${text}`);
});

test('a name in a writing without a font has boxes, and its text can be copied', async () => {
  await rename('Ada \u{10330}\u{10331} Tea \u0e01');
  const { text } = await print('?language=en');
  for (const part of ['Ada', '\u{10330}', '\u{10331}', 'Tea \u0e01']) assert.ok(text.includes(part), text);
});

test('a name that would turn the text around it does not', async () => {
  await rename('Ada \u202eevil');
  assert.match((await print('?language=en')).text, /Organization +Ada evil/);
});

test('the language of a statement is the chosen one, else the organization’s, else the browser’s', async () => {
  await rename('Ada');
  const of = async (query: string, accepted: string) =>
    (await download(query, { 'accept-language': accepted })).headers.get('content-language');
  assert.deepEqual(
    [await of('', 'xx'), await of('', 'pl-PL, en;q=0.5'), await of('?language=ja', 'pl')],
    ['en', 'pl', 'ja'],
  );
  const program = { program: 'award', unclaimed_after_days: null, reminder_days: [], messages_show_value: false };
  const path = `/organizations/${organization.organizationId}/program`;
  assert.equal((await admin.call('PUT', path, { ...program, language: 'nl' })).status, 200);
  assert.equal(await of('', 'pl'), 'nl');
  const answer = await download('?language=xx');
  assertError(
    { status: answer.status, body: await answer.json(), headers: answer.headers },
    'parameter_invalid',
    'language',
  );
});
