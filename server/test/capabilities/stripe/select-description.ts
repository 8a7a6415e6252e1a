// `node server/test/capabilities/stripe/select-description.ts OPENAPI`: writes `openapi.json` beside this file, the part of Stripe's
// published description (github.com/stripe/openapi, MIT) that the fake answers. To add a resource, add its operations to
// `operations.ts` and run this again.
import { readFileSync, writeFileSync } from 'node:fs';
import { operations } from './operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema of every shape
type Json = any;

const source: Json = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const ANNOTATIONS = ['description', 'title', 'x-expandableFields', 'x-stripeBypassValidation', 'x-resourceId'];
/** Of 50 ways to pay, those that the service uses; the others are a third of the description. */
const METHODS = ['card', 'customer_balance', 'us_bank_account', 'link'];
/** Subscriptions and requirements of connected accounts, each with a hundred schemas. */
const UNUSED = ['subscriptions', 'sources', 'setup_intent_data', 'subscription_data', 'requirements'];
/** What the fake expands if asked. */
const EXPANDED = /\/(?:charge|balance_transaction|invoice|review)$/;
const MANY_BYTES = 400;

const kinds = Object.keys(source.components.schemas.payment_method.properties).filter(
  (name) => source.components.schemas[`payment_method_${name}`] !== undefined && !METHODS.includes(name),
);
const unusedMethods = new Set(kinds);

/** JSON Schema of OpenAPI 3.0: `nullable` translated, unknown properties refused, nothing expanded that the fake does not expand. */
function translate(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(translate);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, 'x-expansionResources': expansions, properties, ...rest } = schema;
  const expanded = expansions?.oneOf.filter(({ $ref }: Json) => EXPANDED.test($ref)) ?? [];
  const body = Object.fromEntries(
    Object.entries(expansions === undefined ? rest : { anyOf: [{ type: 'string' }, ...expanded] })
      .filter(([key, value]) => !ANNOTATIONS.includes(key) && !(key === 'maxLength' && value === 5000))
      .map(([key, value]) => [key, key === 'enum' ? value : translate(value)]),
  );
  if (properties !== undefined) {
    const used = Object.entries(properties).filter(
      ([name, value]: Json) =>
        !unusedMethods.has(name) &&
        !(UNUSED.includes(name) && !(schema.required ?? []).includes(name)) &&
        // Of errors and top-ups of the account at Stripe: a payment method of ten years ago.
        (name !== 'source' || value['x-expansionResources'] !== undefined),
    );
    body['properties'] = Object.fromEntries(used.map(([name, value]) => [name, translate(value)]));
    body['additionalProperties'] ??= false;
  }
  if (nullable !== true) return body;
  return { anyOf: [body, { type: 'null' }] };
}

/** The description of 2026-08-26 knows two kinds of bank transfers in this answer; the API documentation has five. */
source.components.schemas.funding_instructions_bank_transfer.properties.type.enum =
  source.components.schemas.customer_balance_resource_cash_balance_transaction_resource_funded_transaction_resource_bank_transfer.properties.type.enum;

/** An object of the parameters in the query, so that GET is checked as POST is. */
function queryOf({ parameters = [] }: Json): Json {
  const inQuery = parameters.filter((parameter: Json) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(inQuery.map(({ name, schema }: Json) => [name, schema])),
    required: inQuery.filter(({ required }: Json) => required === true).map(({ name }: Json) => name),
  };
}

const schemas: Record<string, Json> = {};
/** Copies the schemas that others refer to. */
function copyReferences(schema: Json): void {
  if (typeof schema !== 'object' || schema === null) return;
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (name !== undefined && schemas[name] === undefined) {
    schemas[name] = translate(source.components.schemas[name] ?? {});
    copyReferences(schemas[name]);
  }
  for (const value of Object.values(schema)) copyReferences(value);
}

const calls = Object.fromEntries(
  operations.map((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const described = source.paths[path]?.[method.toLowerCase()];
    if (described === undefined) throw new Error(`${operation} is not in ${process.argv[2]}.`);
    const form = described.requestBody?.content['application/x-www-form-urlencoded']?.schema;
    const request = translate(method === 'GET' ? queryOf(described) : (form ?? { type: 'object', properties: {} }));
    const answer = translate(described.responses[200].content['application/json'].schema);
    copyReferences([request, answer]);
    return [operation, { request, answer }];
  }),
);
copyReferences({ $ref: '#/components/schemas/error' });

/** Moves what occurs more than once, such as 300 names of merchant categories, to one place. */
function shareRepeated(): Record<string, Json> {
  const counts = new Map<string, number>();
  const count = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    const text = JSON.stringify(node);
    if (text.length > MANY_BYTES) counts.set(text, (counts.get(text) ?? 0) + 1);
    if (counts.get(text) !== 2) for (const value of Object.values(node)) count(value);
  };
  count([calls, schemas]);
  const shared: Record<string, Json> = {};
  const names = new Map<string, string>();
  const share = (node: Json, isRoot = false): Json => {
    if (typeof node !== 'object' || node === null) return node;
    const text = JSON.stringify(node);
    const isSchema = typeof node.type === 'string' || Array.isArray(node.anyOf);
    if (!isRoot && isSchema && (counts.get(text) ?? 0) > 1) {
      const name = names.get(text) ?? `shared_${names.size + 1}`;
      if (!names.has(text)) {
        names.set(text, name);
        shared[name] = share(node, true);
      }
      return { $ref: `#/components/schemas/${name}` };
    }
    const entries = Object.entries(node).map(([key, value]) => [key, share(value)] as const);
    return Array.isArray(node) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  };
  for (const [name, call] of Object.entries(calls)) calls[name] = share(call, true) as (typeof calls)[string];
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = share(schema, true);
  return shared;
}

const shared = shareRepeated();
const lines = (entries: Record<string, Json>) =>
  Object.entries(entries).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
const text = `{"version":${JSON.stringify(source.info.version)},"calls":{
${lines(calls).join(',\n')}
},"components":{"schemas":{
${lines({ ...schemas, ...shared }).join(',\n')}
}}}
`;
writeFileSync(new URL('openapi.json', import.meta.url), text);
process.stdout.write(`${operations.length} operations, ${Object.keys(schemas).length} schemas, ${text.length} bytes\n`);
