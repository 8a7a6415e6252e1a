/** No body of ours nests deeper than five levels (an order's `gifts[0].delivery.email`); better-auth's neither. */
export const DEPTH_LIMIT = 12;
/** Far more than any list or object of ours holds; an order has ten gifts. */
export const LENGTH_LIMIT = 1_000;
/** Stands for the members left out, so that no object is taken without them. No member is shorter, so there is room. */
const MEMBERS_LEFT_OUT = Buffer.from(',"":0');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;

const BLANKS = new Set(Buffer.from(' \n\r\t'));
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const HEX_DIGITS = new Set(Buffer.from('0123456789abcdefABCDEF'));
const EXPONENTS = new Set(Buffer.from('eE'));
const SIGNS = new Set(Buffer.from('+-'));
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/** What may stand next. */
type Expected = 'value' | 'valueOrClose' | 'name' | 'nameOrClose' | 'colon' | 'commaOrClose' | 'end';

/**
 * The same JSON without what lies deeper than `DEPTH_LIMIT` levels, and without what a list or an object holds after its
 * first `LENGTH_LIMIT`; an object that was cut has the member `""` for it. No schema of ours takes such a list or object
 * before or after, and whether the text is JSON (RFC 8259) is held for all of it.
 *
 * `JSON.parse` of a megabyte of `[[[[…` takes 130 ms of processor time, most of it for moving half a million young lists
 * about; 130,000 different members take 58 ms, and as long again to validate (`npm run fuzz -- --only bombs`). This reads
 * them without making anything.
 *
 * @param json valid UTF-8
 * @returns the bytes that are left, in a buffer of their own
 * @throws SyntaxError where the text is not JSON
 */
export function pruneJson(json: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(json.length);
  let keptLength = 0;
  // For each that is open how many commas it has seen: from 0 upwards for a list, from -1 downwards for an object.
  const open = new Int32Array(json.length + 1);
  let depth = 0;
  // The depth at which dropping began, or 0 while everything is kept.
  let dropsFrom = 0;
  let expected: Expected = 'value';
  let at = 0;

  const keep = (start: number, end: number) => {
    if (dropsFrom === 0) for (let index = start; index < end; index += 1) kept[keptLength++] = json[index] as number;
  };

  while (at < json.length) {
    const byte = json[at] as number;
    const start = at;
    if (BLANKS.has(byte)) {
      at += 1;
    } else if (expected === 'value' || (expected === 'valueOrClose' && byte !== CLOSE_LIST)) {
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        at += 1;
        keep(start, at);
        depth += 1;
        open[depth] = byte === OPEN_LIST ? 0 : -1;
        if (dropsFrom === 0 && depth === DEPTH_LIMIT) dropsFrom = depth;
        expected = byte === OPEN_LIST ? 'valueOrClose' : 'nameOrClose';
      } else {
        at = byte === QUOTE ? afterString(json, at) : afterNumberOrWord(json, at);
        keep(start, at);
        expected = depth === 0 ? 'end' : 'commaOrClose';
      }
    } else if (byte === QUOTE && (expected === 'name' || expected === 'nameOrClose')) {
      at = afterString(json, at);
      keep(start, at);
      expected = 'colon';
    } else if (byte === COLON && expected === 'colon') {
      at += 1;
      keep(start, at);
      expected = 'value';
    } else if (byte === COMMA && expected === 'commaOrClose') {
      at += 1;
      const isList = (open[depth] as number) >= 0;
      open[depth] = (open[depth] as number) + (isList ? 1 : -1);
      if (dropsFrom === 0 && open[depth] === (isList ? LENGTH_LIMIT : -1 - LENGTH_LIMIT)) {
        if (!isList) keptLength += MEMBERS_LEFT_OUT.copy(kept, keptLength);
        dropsFrom = depth;
      } else keep(start, at);
      expected = isList ? 'value' : 'name';
    } else if (isClose(byte, expected, open[depth] as number)) {
      if (dropsFrom === depth) dropsFrom = 0;
      at += 1;
      keep(start, at);
      depth -= 1;
      expected = depth === 0 ? 'end' : 'commaOrClose';
    } else throw new SyntaxError(`Unexpected byte at ${at}`);
  }
  // Where something is still open, what was kept is open too, and parsing it says so.
  return kept.subarray(0, keptLength);
}

function isClose(byte: number, expected: Expected, commas: number): boolean {
  return commas < 0
    ? byte === CLOSE_OBJECT && (expected === 'nameOrClose' || expected === 'commaOrClose')
    : byte === CLOSE_LIST && (expected === 'valueOrClose' || expected === 'commaOrClose');
}

/** @returns where the string that begins at `at` is over */
function afterString(json: Buffer, at: number): number {
  for (let index = at + 1; index < json.length; index += 1) {
    const byte = json[index] as number;
    if (byte === QUOTE) return index + 1;
    if (byte < 0x20) break;
    if (byte === BACKSLASH) {
      index += 1;
      const escaped = json[index] as number;
      if (escaped === LOWER_U) {
        for (let digit = 1; digit <= 4; digit += 1)
          if (!HEX_DIGITS.has(json[index + digit] as number)) throw new SyntaxError(`Bad escape at ${index}`);
        index += 4;
      } else if (!ESCAPED.has(escaped)) break;
    }
  }
  throw new SyntaxError(`Bad string at ${at}`);
}

function afterNumberOrWord(json: Buffer, at: number): number {
  for (const word of WORDS)
    if (json[at] === word[0] && word.equals(json.subarray(at, at + word.length))) return at + word.length;
  let index = json[at] === MINUS ? at + 1 : at;
  index = json[index] === ZERO ? index + 1 : afterDigits(json, index);
  if (json[index] === POINT) index = afterDigits(json, index + 1);
  if (EXPONENTS.has(json[index] as number)) {
    index += 1;
    index = afterDigits(json, SIGNS.has(json[index] as number) ? index + 1 : index);
  }
  return index;
}

/** At least one. */
function afterDigits(json: Buffer, at: number): number {
  let index = at;
  // Past the end no comparison holds.
  while ((json[index] as number) >= ZERO && (json[index] as number) <= NINE) index += 1;
  if (index === at) throw new SyntaxError(`Digit expected at ${at}`);
  return index;
}
