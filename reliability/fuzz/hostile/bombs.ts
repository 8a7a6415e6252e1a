/** Bodies of at most a megabyte that are meant to cost more than they weigh. */

export interface Bomb {
  name: string;
  body: Buffer;
}

const MOST_BYTES = 1_048_576;

/** The piece again and again between a beginning and an end, as often as a megabyte takes it. */
function filled(before: string, piece: string | ((index: number) => string), after: string): string {
  const pieces: string[] = [];
  let room = MOST_BYTES - Buffer.byteLength(before + after);
  for (let index = 0; ; index += 1) {
    const next = typeof piece === 'string' ? piece : piece(index);
    room -= Buffer.byteLength(next);
    if (room < 0) return before + pieces.join('') + after;
    pieces.push(next);
  }
}

function nested(before: string, open: string, core: string, close: string, after: string): string {
  const depth = Math.floor((MOST_BYTES - before.length - core.length - after.length) / (open.length + close.length));
  return before + open.repeat(depth) + core + close.repeat(depth) + after;
}

/** Where in an order a value can stand: its text before and behind. */
const spots: Record<string, readonly [before: string, after: string]> = {
  'the whole body': ['', ''],
  gifts: ['{"gifts":', '}'],
  'gifts[0]': ['{"gifts":[', ']}'],
  amount: ['{"gifts":[{"amount":', '}]}'],
  delivery: ['{"gifts":[{"amount":1000,"category":"coffee","delivery":', '}]}'],
  email: ['{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"email","email":', '}}]}'],
  phone: ['{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"phone","phone":', '}}]}'],
  recipient_name: [
    '{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"link"},"personalization":{"recipient_name":',
    '}}]}',
  ],
  'an unknown field': ['{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"link"}}],"unknown":', '}'],
};

type Shape = (before: string, after: string) => string;

const shapes: Record<string, Shape> = {
  'nested lists': (before, after) => nested(before, '[', '', ']', after),
  'nested objects': (before, after) => nested(before, '{"a":', '1', '}', after),
  'nested lists and objects': (before, after) => nested(before, '[{"a":', '1', '}]', after),
  'members, all different': (before, after) =>
    filled(`${before}{"a":0`, (index) => `,"${index.toString(36)}":0`, `}${after}`),
  'members with numbers for names': (before, after) =>
    filled(`${before}{"a":0`, (index) => `,"${index}":0`, `}${after}`),
  'one member again and again': (before, after) => filled(`${before}{"a":0`, ',"a":0', `}${after}`),
  '__proto__ again and again': (before, after) => filled(`${before}{"a":0`, ',"__proto__":{}', `}${after}`),
  'empty objects': (before, after) => filled(`${before}[{}`, ',{}', `]${after}`),
  'lists in a list': (before, after) => filled(`${before}[[0]`, ',[0]', `]${after}`),
  'numbers in a list': (before, after) => filled(`${before}[0`, ',0', `]${after}`),
  'fractions in a list': (before, after) => filled(`${before}[0`, ',0.1234567890123456789e-300', `]${after}`),
  'texts in a list': (before, after) => filled(`${before}[0`, (index) => `,"${index.toString(36)}"`, `]${after}`),
  'a number of a million digits': (before, after) => filled(`${before}9`, '9', after),
  'a fraction of a million digits': (before, after) => filled(`${before}0.`, '1', after),
  'an exponent of a million digits': (before, after) => filled(`${before}1e`, '9', after),
  'one text': (before, after) => filled(`${before}"`, 'a', `"${after}`),
  'a text of escapes': (before, after) => filled(`${before}"`, '\\u0041', `"${after}`),
  'a text of quotes': (before, after) => filled(`${before}"`, '\\"', `"${after}`),
  'a text of halves of pairs': (before, after) => filled(`${before}"`, '\\ud800', `"${after}`),
  'a text of wide characters': (before, after) => filled(`${before}"`, '😀', `"${after}`),
  'a member of a long name': (before, after) => filled(`${before}{"`, 'a', `":0}${after}`),
  blanks: (before, after) => filled(`${before}0`, ' ', after),
};

const special: Record<string, string> = {
  'lists that never close': filled('', '[', ''),
  'objects that never close': filled('', '{"a":', ''),
  'a text that never closes': filled('"', 'a', ''),
  'an email of dots': filled(`${spots['email']?.[0]}"a`, '.a', '"}}]}'),
  'an email of labels': filled(`${spots['email']?.[0]}"a@`, 'a.', '"}}]}'),
  'an email of 254 characters that fails at its end': `${spots['email']?.[0]}"${'a'.repeat(100)}@${'a-'.repeat(76)}!"}}]}`,
  'ten emails that fail late': `{"gifts":[${Array(10)
    .fill(
      `{"amount":1000,"category":"coffee","delivery":{"method":"email","email":"${'a.a'.repeat(60)}@${'a.a'.repeat(20)}!"}}`,
    )
    .join()}]}`,
  'a phone of parentheses': filled(`${spots['phone']?.[0]}"+1`, '(', '"}}]}'),
  'a phone of 100 characters that fails at its end': `${spots['phone']?.[0]}"+${'1 '.repeat(14)}${' '.repeat(70)}x"}}]}`,
  'bytes that are no UTF-8 behind a megabyte that is': filled('"', 'a', '\u00ff'),
  commas: filled('[', ',', ']'),
  'gifts without end': filled(
    '{"gifts":[{}',
    ',{"amount":1000,"category":"coffee","delivery":{"method":"link"}}',
    ']}',
  ),
  'ten gifts of names': filled(
    '{"gifts":[{"amount":1000,"category":"coffee","delivery":{"method":"link"},"a":0',
    (index) => `,"${index}":"${index}"`,
    '}]}',
  ),
};

/** Every shape in every spot, and what has a place of its own. */
export const bombs: readonly Bomb[] = [
  ...Object.entries(shapes).flatMap(([shape, build]) =>
    Object.entries(spots).map(([spot, [before, after]]) => ({
      name: `${shape} as ${spot}`,
      body: Buffer.from(build(before, after)),
    })),
  ),
  ...Object.entries(special).map(([name, text]) => ({
    name,
    body: Buffer.from(text, name.includes('no UTF-8') ? 'latin1' : 'utf8'),
  })),
];
