import fastJsonStringify, { type Schema } from 'fast-json-stringify';

interface OneOf {
  anyOf?: { type?: string; const?: unknown }[];
}

type Serialize = (answer: unknown) => string;

/** Those of a process, by their schemas, which are constants. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Compiles each serializer once, at its first answer: compiling all at start took 0.4 s with the validators.
 *
 * @param shared the schemas that others refer to, by `$id`
 */
export function buildSerializer(shared: unknown, options: unknown) {
  const compile = (schema: object): Serialize => {
    const serialize = fastJsonStringify(simplified(schema) as Schema, {
      ...(options as object),
      schema: simplified(shared) as Record<string, Schema>,
    });
    compiled.set(schema, serialize);
    return serialize;
  };
  return (route: { schema?: unknown }): Serialize => {
    const schema = route.schema as object;
    return (answer) => (compiled.get(schema) ?? compile(schema))(answer);
  };
}

/**
 * Replaces what may be null, and lists of texts, by forms that need no choice: for each choice the serializer validates the
 * value.
 */
function simplified(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(simplified);
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, simplified(part)]),
  ) as OneOf;
  if (anyOf === undefined) return rest;
  if (anyOf.every((form) => typeof form.const === 'string')) return { ...rest, type: 'string' };
  const [form, ...others] = anyOf.filter(({ type }) => type !== 'null');
  const isOnlyNullable = form?.type !== undefined && form.const === undefined && others.length === 0;
  return isOnlyNullable ? { ...rest, ...form, nullable: true } : { ...rest, anyOf };
}
