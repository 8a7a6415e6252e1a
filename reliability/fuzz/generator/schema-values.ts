import fc, { type Arbitrary } from 'fast-check';
import { isValid, resolve, type Schema } from './document.ts';

/** Values for fields of these names, where the schema alone would give texts that name nothing. */
export type Sources = Readonly<Record<string, Arbitrary<unknown>>>;

/** Values that the schema allows: objects with and without their optional fields, both ends of every range. */
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
      throw new Error(`No values are made for ${JSON.stringify(schema)}.`);
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

/** Any character of Unicode; half of a surrogate pair is one as well, and is refused. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

function validTexts(schema: Schema): Arbitrary<string> {
  const { pattern, minLength = 0, maxLength } = schema;
  // fast-check makes texts of simple patterns only: for the others it makes any texts, or texts without the
  // pattern's look-aheads, and the validator chooses.
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
