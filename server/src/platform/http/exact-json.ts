import { BestowError } from '../base/errors.ts';
import { endOfString } from './crowded-object.ts';

// What `JSON.parse` lets pass in silence: of a doubled member it takes the last one, and of a number it takes the nearest.

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON in UTF-8.
 *
 * @throws SyntaxError, TypeError if it is not JSON; BestowError `request_body_invalid` if a member stands twice in an object
 */
export function parseExactly(json: Buffer): unknown {
  const members = scan(json);
  // RFC 8259 allows a parser to skip a byte order mark.
  const value: unknown = JSON.parse(utf8.decode(json));
  if (countMembers(value) !== members)
    throw new BestowError('request_body_invalid', { message: 'A member stands twice in an object of the body.' });
  return value;
}

/** Fewer than in the text if a member stands twice, at any depth. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const one of values) count += countMembers(one);
  return count;
}

const [QUOTE, COLON, MINUS, POINT, ZERO, NINE] = [...'":-.09'].map((one) => one.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Counts the members, and keeps numbers that are not whole from being rounded to integers. */
function scan(json: Buffer): number {
  let members = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index] as number;
    if (character === QUOTE) index = endOfString(json, index);
    else if (character === COLON) members += 1;
    else if (character === MINUS || isDigit(character)) index = endOfNumber(json, index);
  }
  return members;
}

const isDigit = (character: number) => character >= ZERO && character <= NINE;
const isOfNumber = (character: number) =>
  isDigit(character) || character === POINT || '-+eE'.includes(String.fromCharCode(character));

function endOfNumber(json: Buffer, start: number): number {
  let end = start + 1;
  while (end < json.length && isDigit(json[end] as number)) end += 1;
  if (end === json.length || !isOfNumber(json[end] as number)) return end - 1;
  while (end < json.length && isOfNumber(json[end] as number)) end += 1;
  const text = json.toString('latin1', start, end);
  // `JSON.parse` would read an integer; now it reads a number that no integer field takes.
  if (Number.isInteger(Number(text)) && !isWhole(text)) json.fill(' ', start, end).write('0.5', start);
  return end - 1;
}

/** Whether the text stands for an integer exactly. */
function isWhole(text: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  // Not a number: `JSON.parse` refuses it.
  return whole === '' || digits === '' || whole.length + Number(exponent) >= digits.length;
}
