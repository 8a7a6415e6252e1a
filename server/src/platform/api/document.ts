import type { TObject, TSchema } from 'typebox';
import type { Operation } from './operation.ts';

/** OpenAPI 3.1, made from operations: the parts that the documents of `/v1` and of the portal share. */

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: TSchema;
}

interface Dialect {
  /** The members of an operation that depend on its access. */
  security(operation: Operation): Json;
  parameter(parameter: Parameter): Json;
  responses(operation: Operation): Json;
}

/** @param components receives every schema that has an `$id` */
export function pathsOf(
  operations: readonly Operation[],
  prefix: string,
  components: Json,
  dialect: Dialect,
): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = prefix + operation.path;
    const described = describe(operation, dialect);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: extractSchemas(described, components) as Json };
  }
  return paths;
}

function describe(operation: Operation, dialect: Dialect): Json {
  const { operationId, tag, summary, description, body, isBodyOptional = false, bodyExamples } = operation;
  const parameters = parametersOf(operation).map(dialect.parameter);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...dialect.security(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: { 'application/json': { schema: body, ...(bodyExamples && { examples: bodyExamples }) } },
      },
    }),
    responses: dialect.responses(operation),
  };
}

function parametersOf({ path, params, query, headers }: Operation): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const schema = params?.properties[name] ?? ({ type: 'string' } as TSchema);
    return { name, in: 'path', required: true, schema };
  });
  return [...inPath, ...fieldsOf('query', query), ...fieldsOf('header', headers)];
}

const fieldsOf = (place: 'query' | 'header', fields: TObject | undefined): Parameter[] =>
  Object.entries(fields?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: fields?.required?.includes(name) ?? false,
    schema,
  }));

/**
 * Replaces a strict pattern by one that the regular expressions of every language know, and adds the rule to the
 * description. Go, Rust, Python and PHP lack lookaround, `\p{…}` or `\u`.
 */
function portable({ 'x-portable-pattern': pattern, ...schema }: Json): Json {
  if (pattern === undefined) return schema;
  const { description, 'x-rule': rule } = schema as { description?: string; 'x-rule'?: string };
  return { ...schema, pattern, description: `${description} It ${rule}.` };
}

/** Moves every schema that has an `$id` to the components and leaves a reference; references to an `$id` become local. */
export function extractSchemas(value: unknown, components: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => extractSchemas(item, components));
  const entries = Object.entries(value).map(([key, item]) => [key, extractSchemas(item, components)]);
  const { $id, ...schema } = portable(Object.fromEntries(entries)) as { $id?: string; $ref?: string };
  if ($id !== undefined) components[$id] = schema;
  const name = $id ?? (schema.$ref?.startsWith('#') ? undefined : schema.$ref);
  return name === undefined ? schema : { $ref: `#/components/schemas/${name.replace(/#$/, '')}` };
}
