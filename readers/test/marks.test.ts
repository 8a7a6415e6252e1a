import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfMarks, fillMarks, firstNameOf, markWords, missingMark } from '../src/marks.ts';

const gift = { name: 'Ada Lovelace', sender: 'The team', amount_cents: 2500, currency: 'EUR', language: 'de' };
const words = markWords({ ...gift, occasion: 'Geburtstag', years: 5 });

test('each mark is filled with the words of the gift', () => {
  assert.equal(fillMarks('{name}|{first_name}|{sender}', words), 'Ada Lovelace|Ada|The team');
  assert.equal(fillMarks('{amount} zum {occasion}, {years} Jahre', words), '25,00\u00a0€ zum Geburtstag, 5 Jahre');
  assert.equal(
    fillMarks('Hi {{ first_name }}, {First Name}, {firstName}, {RECIPIENT_NAME}', words),
    'Hi Ada, Ada, Ada, Ada Lovelace',
  );
});

test('a text without marks stays as it is, byte for byte', () => {
  for (const text of [
    '',
    'a { b } c',
    '{}',
    '{ smile }',
    '{1}',
    '50% of 100%',
    '[x] done',
    'if (a) { b }',
    '{\nsmile}',
    '🎁{',
  ])
    assert.deepEqual([fillMarks(text, words), faultOfMarks(text)], [text, undefined]);
});

test('a name that looks like a mark, or like a pattern, is text', () => {
  for (const name of ['{sender}', '$&$1', '<b>Ada</b>', '=1+1', '{{amount}}'])
    assert.equal(fillMarks('Hi {name}!', { ...words, name }), `Hi ${name}!`);
});

test('a mark without a word is found, and stays', () => {
  const bare = markWords({ ...gift, name: null });
  assert.equal(missingMark('Hi {first_name}', bare), 'first_name');
  assert.equal(missingMark('{years} years', markWords({ ...gift, years: null })), 'years');
  assert.equal(missingMark('Hi {name}, {amount}', words), undefined);
  assert.equal(fillMarks('Hi {first_name}', bare), 'Hi {first_name}');
});

test('what is no mark, or a mark of another program, is named with what to write', () => {
  assert.match(
    faultOfMarks('Hi {fristname}') ?? '',
    /^\{fristname\} is not a mark\. Marks are \{name\}, .*\{years\}\./,
  );
  assert.match(faultOfMarks('Hi {{vorname}}') ?? '', /^\{\{vorname\}\} is not a mark/);
  assert.equal(faultOfMarks('Dear [First Name]'), 'Write {first_name} for [First Name].');
  assert.equal(faultOfMarks('Dear «Name»'), 'Write {name} for «Name».');
  assert.equal(faultOfMarks('Dear %first_name%'), 'Write {first_name} for %first_name%.');
  assert.equal(faultOfMarks('{name} {{first_name}} {{ name }} {First name}'), undefined);
  for (const [text, mark] of [
    ['%FNAME%', 'first_name'],
    ['*|FNAME|*', 'first_name'],
    ['$' + '{name}', 'name'],
    ['{ name }', 'name'],
    ['{name', 'name'],
  ] as const)
    assert.equal(faultOfMarks(`Hi ${text}`), `Write {${mark}} for ${text}.`);
  assert.equal(faultOfMarks('{first_name,fallback=friend}'), 'Write {first_name} for {first_name.');
});

test('a first name is the first word, unless that would be wrong', () => {
  for (const [name, first] of [
    ['Ada Lovelace', 'Ada'],
    ['Ada', 'Ada'],
    ['Lovelace, Ada', 'Ada'],
    ['Jean-Luc Picard', 'Jean-Luc'],
    ['José da Silva', 'José'],
    ['Łukasz Żak', 'Łukasz'],
    ['سارة أحمد', 'سارة'],
  ] as const)
    assert.equal(firstNameOf(name), first);
  for (const whole of [
    'Dr. Grace Hopper',
    'Prof.Dr. Hans',
    '🎉 Party',
    'Mr Babbage',
    'J. Smith',
    '山田 太郎',
    '김 민수',
    'Frau Müller',
    'Lovelace,',
  ])
    assert.equal(firstNameOf(whole), whole);
});

test('a first name that is known apart goes before the first word', () => {
  assert.equal(markWords({ ...gift, name: 'Mary Ann Smith', first_name: 'Mary Ann' }).first_name, 'Mary Ann');
});
