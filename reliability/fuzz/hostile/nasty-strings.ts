import { readFileSync } from 'node:fs';
import { hostileBytes } from './bytes.ts';
import { oddTexts } from './characters.ts';

/** One entry of the table: what is tried in every field, header, path and query. */
export interface Nasty {
  family: string;
  /** As it is sent in a header, a path, a query, or as a whole body. */
  bytes: Buffer;
  /** As it is sent in the place of a value in a body: JSON, or something that only looks like it. */
  json: Buffer;
}

const QUOTE = Buffer.from('"');

const ofText = (family: string, text: string): Nasty => ({
  family,
  // Half of a pair has no UTF-8; these are the bytes that careless software writes for it.
  bytes: Buffer.concat([...text].map((one) => (isHalf(one) ? surrogateBytes(one.charCodeAt(0)) : Buffer.from(one)))),
  json: Buffer.from(JSON.stringify(text)),
});

const isHalf = (one: string) => /^\p{Cs}$/u.test(one);
const surrogateBytes = (unit: number) => Buffer.from([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);

const ofJson = (family: string, text: string): Nasty => ({ family, bytes: Buffer.from(text), json: Buffer.from(text) });

const ofBytes = (family: string, bytes: Buffer): Nasty => ({
  family,
  bytes,
  json: Buffer.concat([QUOTE, bytes, QUOTE]),
});

/** A text of each line of `nasty-texts.tsv`: its family, a tab, and the text as a JSON string. */
const listed = readFileSync(new URL('nasty-texts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): [string, string] => {
    const [family = '', text = ''] = line.split('\t');
    return [family, JSON.parse(text) as string];
  });

/** These are no strings where they stand for a value. */
const isLiteral = (family: string) => family === 'json text' || family === 'number-like';

function withoutRepeats(entries: readonly Nasty[]): Nasty[] {
  const byContent = new Map(
    entries.map((entry) => [`${entry.bytes.toString('hex')} ${entry.json.toString('hex')}`, entry]),
  );
  return [...byContent.values()];
}

/** Over 2,000 of them, always the same and in the same order. */
export const nastyStrings: readonly Nasty[] = withoutRepeats([
  ...listed.map(([family, text]) => ofText(family, text)),
  ...listed.filter(([family]) => isLiteral(family)).map(([family, text]) => ofJson(`${family}, bare`, text)),
  ...oddTexts.map(([family, text]) => ofText(family, text)),
  ...hostileBytes.map(([family, bytes]) => ofBytes(family, bytes)),
]);
