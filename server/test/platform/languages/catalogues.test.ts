import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textMessage } from '../../../src/core/delivery/text-template.ts';
import { catalogues, english, type Key } from '../../../src/platform/languages/catalogue.ts';
import { chooseLanguage, languageTags } from '../../../src/platform/languages/languages.ts';
import { sayRefusal, wordsOf } from '../../../src/platform/languages/words.ts';
import { argumentsOf } from '../../generated/text-arguments.ts';

const keys = Object.keys(english) as Key[];

for (const language of languageTags) {
  const catalogue = catalogues[language];

  test(`${language} has every text, with the same arguments`, () => {
    assert.deepEqual(Object.keys(catalogue).sort(), keys.toSorted());
    for (const key of keys) {
      assert.deepEqual(argumentsOf(catalogue[key]).names, argumentsOf(english[key]).names, key);
      assert.ok(catalogue[key].trim() === catalogue[key] && catalogue[key] !== '', key);
      // The texts go into HTML as they are.
      assert.doesNotMatch(catalogue[key], /[<>&"']/, key);
    }
  });

  test(`${language} has every form of its plurals, and no other`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const key of keys) {
      const forms = argumentsOf(catalogue[key]).forms.filter((form) => !form.startsWith('='));
      assert.deepEqual(
        forms.sort(),
        argumentsOf(english[key]).forms.length > 0 ? pluralCategories.toSorted() : [],
        key,
      );
    }
  });

  test(`a text message in ${language} has at most two parts`, () => {
    const link = `https://gifts.example.com/g/${'-'.repeat(76)}`;
    for (const senderName of ['Ada', 'Zoë Łukasz-Żółć 日本語', 'A'.repeat(200)])
      for (const lastDay of [undefined, wordsOf(language).day('2027-09-30')])
        for (const note of [undefined, 'Enjoy'])
          for (const stopLink of [undefined, `${link}/stop`]) {
            const content = { senderName, recipientName: undefined, organizationName: 'Acme', note, lastDay, stopLink };
            const text = textMessage({
              ...content,
              value: undefined,
              pictureUrl: null,
              link,
              words: wordsOf(language),
            });
            const isGsm = /^[\n !-_a-z£¥èéùìòÇØøÅåÆæßÉ¡ÄÖÑÜ§¿äöñüà]*$/.test(text.replaceAll(/[[\]\\^`]/g, '—'));
            assert.ok(text.length <= (isGsm ? 306 : 134), `${text.length}: ${text}`);
            assert.ok(text.includes(link), text);
          }
  });
}

test('French signs never stand alone on a line, except in text messages, whose letters are counted', () => {
  for (const key of keys) {
    const text = catalogues.fr[key];
    if (key.startsWith('sms.')) assert.doesNotMatch(text, /[\u00a0\u202f]/, key);
    else assert.doesNotMatch(text, / [!?:;»]|« /, key);
  }
});

test('the Arabic texts have no English words', () => {
  for (const key of keys) {
    const text = catalogues.ar[key].replaceAll(
      /\{\w+(?:, plural,)?|\b(?:zero|one|two|few|many|other) \{|Bestow|CA\b/g,
      '',
    );
    assert.doesNotMatch(text, /[A-Za-z]/, key);
  }
});

test('a browser’s languages count by their quality, and unknown ones not at all', () => {
  const accepted = (header: string | undefined) => chooseLanguage([], header);
  assert.deepEqual(
    [undefined, '', '*', 'xx', 'de-AT,de;q=0.9', 'en;q=0.5, PT-pt;q=0.8', 'fr;q=0, pl;q=0.1', 'zh-CN, ja;q=0.7'].map(
      accepted,
    ),
    ['en', 'en', 'en', 'en', 'de', 'pt-BR', 'pl', 'ja'],
  );
  assert.equal(chooseLanguage([null, 'xx', undefined, 'nl', 'de'], 'fr'), 'nl');
});

test('the reason of a refused claim is translated, and an unknown one stays', () => {
  const reason = 'The issuer did not accept these details. Please check them.';
  assert.match(sayRefusal(wordsOf('de'), reason), /^Der Anbieter/);
  assert.equal(sayRefusal(wordsOf('de'), 'Other'), 'Other');
});
