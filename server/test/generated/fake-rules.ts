import { builtInCategories } from '../../src/core/catalog/built-in.ts';
import { EMAIL_PATTERN, PHONE_PATTERN } from '../../src/core/gifts/gift/address-patterns.ts';
import { steeringAddresses } from '../../src/core/sandbox/steering.ts';
import { catalogue } from '../../src/platform/base/errors.ts';

type Schema = Record<string, unknown>;
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface EventSchema extends Schema {
  properties: { type: { 'x-extensible-enum': string[] } };
}

/** What decides whether an input is valid, and what its error says. */
const KEYWORDS =
  /^(\$ref|type|const|enum|format|pattern|(min|max)(Length|imum|Items|Properties)|anyOf|required|properties|additionalProperties|propertyNames|items|uniqueItems|discriminator|x-rule)$/;
const NAMED = ['properties', 'mapping'];

// Control characters and separators of lines. Half a character is refused without a pattern.
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029';
/** What the service checks, of the portable patterns in its description. RE2 of Go knows no lookahead. */
const EXACT: Record<string, string> = {
  '^[^\\r\\n]+$': `^[^${CONTROL}]+$`,
  '^[^\\r\\n]*$': `^[^${CONTROL}]*$`,
  '^[^\\t]+$': `^([^${CONTROL}]|\\r?\\n)+$`,
  '^[^@\\s]+@[^@\\s]+$': EMAIL_PATTERN.replace(/\(\?=.*?\)/, ''),
  '^\\+[0-9 \\(\\)\\-]+$': PHONE_PATTERN,
};
const exact = (name: string, value: unknown) => (name === 'pattern' ? (EXACT[`${value}`] ?? value) : value);

/** Addresses of webhook endpoints, and those of private networks. */
const ENDPOINT =
  '^https://[^/?#@:\\s\\[]+(:(443|102[4-9]|10[3-9][0-9]|1[1-9][0-9]{2}|[2-9][0-9]{3}|[1-9][0-9]{4}))?([/?][^#]*)?$';
const PRIVATE_ENDPOINT =
  '^https://(0|10|127|169\\.254|192\\.168|172\\.(1[6-9]|2[0-9]|3[01])|100\\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])|22[4-9]|2[3-5][0-9])\\.[0-9.]+([:/?]|$)';

/** What a parameter must be, in words. */
function ruleOf({ type, enum: words, minimum, maximum, format }: Schema): string | undefined {
  if (Array.isArray(words)) return `must be one of ${words.join(', ')}`;
  if (type === 'integer') return `must be a whole number from ${minimum} to ${maximum}, sent once`;
  return format === 'date-time' ? 'must be a time with its zone, such as 2026-12-24T09:00:00+01:00' : undefined;
}

/** The schema without descriptions and examples. A number is finite, so `int64` says nothing more. */
function stripped(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(stripped);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => KEYWORDS.test(name) && value !== 'int64');
  return Object.fromEntries(
    kept.map(([name, value]) => [name, NAMED.includes(name) ? ofEach(value) : rest(name, exact(name, value))]),
  );
}
const rest = (name: string, value: unknown) => (name === 'discriminator' ? value : stripped(value));
const ofEach = (members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, stripped(value)]));

/** The named schemas that these reach. */
function reached(schemas: Record<string, Schema>, from: unknown, found: Record<string, unknown> = {}) {
  for (const [, name = ''] of JSON.stringify(from).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (name in found) continue;
    found[name] = stripped(schemas[name]);
    reached(schemas, found[name], found);
  }
  return found;
}

function rowOf(method: string, path: string, { operationId, parameters = [], requestBody }: Operation) {
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => {
      const rule = ruleOf(schema);
      return [name, { ...Object(stripped(schema)), ...(rule !== undefined && { 'x-rule': rule }) }];
    });
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    query: Object.fromEntries(query),
    ...(requestBody && {
      body: stripped(requestBody.content['application/json'].schema),
      needs_body: requestBody.required,
    }),
    ...(key && { needs_key: key.required }),
  };
}

/**
 * What the fakes of all clients take from the service as data, as JSON: the operations with their parameters and bodies, the
 * errors, the test addresses and the catalog of a new installation.
 */
export function fakeRules(openapi: string): string {
  const { paths, components } = JSON.parse(openapi) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => rowOf(method, path, operation)),
  );
  const errors = Object.entries(catalogue).map(([code, { status, type, retry, message }]) => {
    return [code, { status, type, message, ...(retry === 'yes' && { retry_after: 1 }) }];
  });
  const steering = steeringAddresses.flatMap(({ effect, localParts, phone }) =>
    [...localParts, phone].map((address) => [address, effect]),
  );
  const categories = builtInCategories.map(({ id, name, description }) => ({ id, name, description }));
  const rules = {
    about: 'Generated from the service by `npm run generate`.',
    steering: Object.fromEntries(steering),
    categories,
    endpoint: ENDPOINT,
    private_endpoint: PRIVATE_ENDPOINT,
    errors: Object.fromEntries(errors),
    event_types: (components.schemas['Event'] as EventSchema).properties.type['x-extensible-enum'],
    operations,
    schemas: reached(components.schemas, operations),
  };
  return JSON.stringify(rules);
}

/** The same for the TypeScript client, whose module formats do not all read JSON. */
export const fakeRulesModule = (rules: string): string => `// biome-ignore-all format: generated
// Generated from the service by \`npm run generate\`.
import type { Rules } from './input.ts';

export const RULES: Rules = JSON.parse(
  ${JSON.stringify(rules)},
);
`;
