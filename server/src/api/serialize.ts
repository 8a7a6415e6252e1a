import fastJsonStringify, { type Schema } from 'fast-json-stringify';

type Serialize = (answer: unknown) => string;

/**
 * Fastify's serializers by schema, but each is compiled when its first answer leaves: with the
 * validators, all of them took a start 0.4 s of processor, and most tests look at a few.
 *
 * @param shared the schemas that others refer to, by their `$id`
 */
export function buildSerializer(shared: unknown, options: unknown) {
  return ({ schema }: { schema?: unknown }): Serialize => {
    let serialize: Serialize | undefined;
    return (answer) => {
      serialize ??= fastJsonStringify(schema as Schema, {
        ...(options as object),
        schema: shared as Record<string, Schema>,
      });
      return serialize(answer);
    };
  };
}
