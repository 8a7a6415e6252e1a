import { type CorpusFile, csv } from './corpus-file.ts';

export const headingFiles: CorpusFile[] = [
  {
    name: 'sep= with a semicolon',
    bytes: csv('\ufeffsep=;', 'email;name;amount;category', 'ada@example.com;Ada;25,00;coffee'),
    gifts: ['3 ada@example.com 25.00 coffee “Ada”'],
  },
  {
    name: 'sep= with a comma',
    bytes: csv('sep=,', 'email,name,amount,category', 'ada@example.com,Ada,25.00,coffee'),
    gifts: ['3 ada@example.com 25.00 coffee “Ada”'],
  },
  {
    name: 'a title above the headings',
    bytes: csv('Christmas gifts 2026', '', 'email,amount,category', 'ada@example.com,25,coffee'),
    gifts: ['4 ada@example.com 25.00 coffee'],
    leftOut: ['1 above the headings'],
  },
  {
    name: 'no headings',
    bytes: csv('ada@example.com,25,coffee', 'bo@example.com,25,coffee'),
    asks: /which line has the headings/,
  },
  {
    name: 'no headings, as a person says',
    bytes: csv('ada@example.com,25,coffee', 'bo@example.com,30,coffee'),
    answers: { headings: -1 },
    asks: /Choose the column/,
  },
  {
    name: 'line breaks and blank lines',
    bytes: csv(
      'email,amount,category,message',
      'ada@example.com,25,coffee,"Hi',
      'there',
      'Ada"',
      '',
      '',
      'wrong,2,coffee,x',
    ),
    gifts: ['2 ada@example.com 25.00 coffee “Hi\nthere\nAda”'],
    marks: ['7 amount'],
  },
  {
    name: 'headings of several words and languages',
    bytes: csv('Vorname,Nachname,Work Email,Betrag,Kategorie,Grußtext', 'Ada,Lovelace,ada@example.com,25,Coffee,Danke'),
    gifts: ['2 ada@example.com 25.00 coffee “Ada Lovelace” “Danke”'],
  },
  {
    name: 'Japanese headings',
    bytes: csv('メールアドレス,金額,カテゴリー,氏名', 'a@example.com,25,coffee,山田太郎'),
    gifts: ['2 a@example.com 25.00 coffee “山田太郎”'],
  },
  {
    name: 'a heading that is not known',
    bytes: csv('email,amount,category,messsage', 'a@example.com,25,coffee,Hi'),
    gifts: ['2 a@example.com 25.00 coffee'],
    unused: ['messsage'],
  },
  {
    name: 'commas in texts and semicolons between cells',
    bytes: csv(
      'email;amount;category;message',
      ...Array.from({ length: 5 }, (_, n) => `a${n}@example.com;25,00;coffee;Dear A, thanks`),
    ),
    gifts: Array.from({ length: 5 }, (_, n) => `${n + 2} a${n}@example.com 25.00 coffee “Dear A, thanks”`),
  },
  {
    name: 'pipes between cells',
    bytes: csv('email|amount|category|message', 'a@example.com|25.00|coffee|Dear A, thanks; see you'),
    gifts: ['2 a@example.com 25.00 coffee “Dear A, thanks; see you”'],
  },
  {
    name: 'empty columns and a sum at the end',
    bytes: csv('email;amount;category;;', 'ada@example.com;25;coffee;;', ';;;;', ';;;;', 'Total;25;;;'),
    gifts: ['2 ada@example.com 25.00 coffee'],
    marks: ['5 category'],
  },
  { name: 'headings only', bytes: csv('email,amount'), asks: /no rows/ },
  { name: 'nothing', bytes: csv(''), refused: /no rows/ },
];
