import { type CorpusFile, csv } from './corpus-file.ts';

export const quotationFiles: CorpusFile[] = [
  {
    name: 'a quotation that does not end',
    bytes: csv(
      'email,amount,category,name,message',
      'ada@example.com,25,coffee,Ada,"Happy birthday',
      'bo@example.com,30,coffee,Bo,Thank you',
      'cy@example.com,35,coffee,Cy,"See you soon',
      'di@example.com,40,coffee,Di,Thanks',
    ),
    refused: /^Line 2 opens a quotation that is not closed/,
  },
  {
    name: 'a quotation in the middle of a line that does not end',
    bytes: csv('email,name,message,amount,category', 'a@example.com,A,x,25,coffee', 'b@example.com,B,"Hi,25,coffee'),
    refused: /^Line 3 opens a quotation that is not closed/,
  },
  {
    name: 'text after a closing quotation mark',
    bytes: csv('email,amount,category,name', 'ada@example.com,25,coffee,"Bob" Smith', 'bo@example.com,25,coffee,Bo'),
    refused: /^Line 2 has text after a closing quotation mark/,
  },
  {
    name: 'a quotation that ends in a later row',
    bytes: csv(
      'email,amount,category,message',
      'ada@example.com,25,coffee,"Happy birthday',
      'bo@example.com,30,coffee,Thanks"',
    ),
    asks: /doubtful lines/,
  },
  {
    name: 'a single quotation mark',
    bytes: csv('email,amount,category,message', 'ada@example.com,25,coffee,A 5" screen', 'bo@example.com,25,coffee,Hi'),
    answers: { doubtful: 'leave out' },
    gifts: ['3 bo@example.com 25.00 coffee “Hi”'],
    leftOut: ['2 has a single quotation mark'],
  },
  {
    name: 'quotations as they should be',
    bytes: csv(
      'email,amount,category,name,message',
      'e@example.com,"25",coffee,"O\'Brien, ""Co""","Line one\nline two"',
    ),
    gifts: ['2 e@example.com 25.00 coffee “O\'Brien, "Co"” “Line one\nline two”'],
  },
  {
    name: 'typographic quotation marks do not quote',
    bytes: csv('email,name,message,amount,category', 'ada@example.com,Ada,“Thanks, Ada”,25,coffee'),
    asks: /doubtful lines/,
  },
  {
    name: 'a line break where no line break belongs',
    bytes: csv('email,amount,category,name', 'ada@example.com,25,coffee,"Ada\nLovelace"'),
    marks: ['2 recipient_name'],
  },
  {
    name: 'lines with fewer cells than the headings',
    bytes: csv('email,amount,category,name,message', 'ada@example.com,25,coffee', 'bo@example.com,25,coffee,Bo,Hi'),
    answers: { doubtful: 'take' },
    gifts: ['2 ada@example.com 25.00 coffee', '3 bo@example.com 25.00 coffee “Bo” “Hi”'],
  },
];
