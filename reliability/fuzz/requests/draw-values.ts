import fc, { type Arbitrary } from 'fast-check';
import { isValid, resolve, type Schema } from './document.ts';

/** Values for fields of these names, instead of any value that the schema allows. */
export type Sources = Readonly<Record<string, Arbitrary<unknown>>>;

/** Draws values that the schema allows. */
export function validValues(unresolved: Schema, sources: Sources): Arbitrary<unknown> {
  const schema = resolve(unresolved);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => validValues(one, sources)));
  switch (schema.type) {
    case 'object':
      return validObjects(schema, sources);
    case 'array':
      return fc.array(validValues(schema.items ?? {}, sources), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 20,
      });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 });
    case 'string':
      return validTexts(schema);
    default:
      throw new Error(`No values are drawn for ${JSON.stringify(schema)}.`);
  }
}

function validObjects({ properties = {}, required = [] }: Schema, sources: Sources): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    sources[name]?.filter((value) => isValid(property, value)) ?? validValues(property, sources),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: required,
    noNullPrototype: true,
  });
}

/** Includes half of a surrogate pair, which the validator refuses. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

function validTexts(schema: Schema): Arbitrary<string> {
  const { pattern, minLength = 0, maxLength } = schema;
  // fast-check draws from simple patterns only.
  const isSimple = pattern !== undefined && !pattern.includes('\\p{');
  const texts = isSimple
    ? fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?![^()]*\)/g, ''), 'u'))
    : fc.oneof(
        ...['grapheme-ascii' as const, anyCharacter].map((unit) =>
          fc.string({ unit, minLength, ...(maxLength === undefined ? {} : { maxLength }) }),
        ),
      );
  return texts.filter((text) => isValid(schema, text));
}

const wrongValues: readonly unknown[] = [
  ...[null, true, 0, -1, 2500.5, 1e21, '', '2500', 'text', [], {}, ' ', '\n', '\u0000', '\u2028', '\ud800'],
  ...['a..b@example.com', '+01234567', 'x'.repeat(300), Array.from({ length: 11 }, () => ({}))],
];

/** Replaces, removes or adds one member somewhere in a JSON value. The result may still be valid. */
export function alterOnce(value: unknown, choice: number): unknown {
  const wrong = wrongValues[choice % wrongValues.length];
  if (typeof value !== 'object' || value === null) return wrong;
  const names = Object.keys(value);
  const position = choice % (names.length + 3);
  const name = names[position];
  if (position === names.length) return wrong;
  if (position === names.length + 1 && Array.isArray(value)) return [...value, wrong];
  if (name === undefined) return { ...value, [choice % 2 === 0 ? 'unknown' : 'constructor']: 'x' };
  const member = (value as Record<string, unknown>)[name];
  const altered = alterOnce(member, Math.floor(choice / (names.length + 3)));
  if (Array.isArray(value)) return value.with(position, altered);
  const { [name]: _, ...rest } = value as Record<string, unknown>;
  return choice % 5 === 0 ? rest : { ...rest, [name]: altered };
}
