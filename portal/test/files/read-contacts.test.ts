import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactFormatFiles } from './contact-format-files.ts';
import { contactLanguageFiles } from './contact-language-files.ts';
import { contactProgramFiles } from './contact-program-files.ts';
import { csv } from './corpus-file.ts';
import { readContacts } from './read-contacts.ts';

/** Files of contacts. */

const corpus = [...contactProgramFiles, ...contactLanguageFiles, ...contactFormatFiles];

test('the corpus of contacts has at least thirty files', () => {
  assert.ok(corpus.length >= 30, `${corpus.length} files`);
  assert.equal(new Set(corpus.map(({ name }) => name)).size, corpus.length);
});

for (const { name, bytes, answers, asks, ...expected } of corpus)
  test(`a file of contacts: ${name}`, async () => {
    const read = await readContacts(bytes, answers);
    if (asks !== undefined) assert.match(read.questions.join(), asks);
    else
      assert.deepEqual(read, {
        questions: [],
        contacts: [],
        marks: [],
        leftOut: [],
        unused: [],
        left: [],
        ...expected,
      });
  });

test('a row with a fault is named by its line, and none is lost', async () => {
  const { contacts, marks } = await readContacts(
    csv(
      'email,phone,birthday,language',
      'ada@example.com,,12-10,',
      ',,,',
      ',+1 202 555 0142,,',
      'ADA@example.com,,,',
      'grace@example.com,,soon,',
      'alan@example.com,,,Klingon',
      ',,12-11,',
    ),
  );
  assert.deepEqual(contacts, ['2 ada@example.com born 12-10', '4 +1 202 555 0142']);
  assert.deepEqual(marks, ['5 email', '6 birthday', '7 language', '8 email']);
});

test('a file without a column of addresses asks for it, and one without rows is refused', async () => {
  assert.match((await readContacts(csv('name,birthday', 'Ada,12-10'))).questions.join(), /Choose the column/);
  assert.match((await readContacts(csv('email,birthday'))).questions.join(), /no rows to import/);
});
