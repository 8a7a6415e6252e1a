/** The operations of `openapi.json` as a client calls them. The generator of each language writes them in its own words. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: string | boolean;
  enum?: string[];
  'x-extensible-enum'?: string[];
  'x-rule'?: string;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
type Content = { content?: { 'application/json'?: { schema: Schema } } };
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
  'x-errors': Record<string, string[]>;
  'x-sent-once'?: boolean;
  'x-takes-long'?: boolean;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}

/** What tells an answer of the service from a gateway's: a member, and its text if that is fixed. */
export interface Mark {
  member: string;
  type: string;
  value?: string;
}

export interface ClientOperation {
  id: string;
  method: string;
  path: string;
  /** Such as `webhookEndpoints`: what the path begins with, unless the operation's tag is another resource. */
  resource: string;
  /** Such as `rotateSecret`: the operation's id without its resource. */
  name: string;
  /** Names of the path's parameters. */
  ids: string[];
  /** What the path's parameters are that are no ids, such as a month. */
  values: Parameter[];
  query: Parameter[];
  /** The name of its schema. */
  body?: string;
  isBodyOptional: boolean;
  /** A PUT or PATCH without a key changes what is given: what is left out stays. */
  isChange: boolean;
  /** The name of its schema. */
  answer: string;
  /** The schema of the items, if the answer is a list. */
  item?: string;
  /** The list has cursors. */
  isPaged: boolean;
  takesKey: boolean;
  takesExpand: boolean;
  isSentOnce: boolean;
  takesLong: boolean;
  mark?: Mark;
  /** Such as `Cancel a gift`. */
  summary: string;
  description: string;
  /** The codes of its own errors. */
  errors: string[];
}

export interface ClientModel {
  operations: ClientOperation[];
  /** What each resource is for. */
  resources: Record<string, string>;
  schemas: Record<string, Schema>;
}

export const refOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1);
export const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
export const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
export const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
export const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');

/** The schema without its `null`, and whether it had one. */
export function nonNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const [first, second] = schema.anyOf ?? [];
  if (first && second?.type === 'null') return { schema: first, isNullable: true };
  const isNullable = Array.isArray(schema.type);
  return { schema: isNullable ? { ...schema, type: schema.type?.[0] as string } : schema, isNullable };
}

/** What a member is, with the rule of a number. */
export function descriptionOf(property: Schema): string {
  const { type, description = '', 'x-rule': rule } = nonNull(property).schema;
  const text = property.description ?? description;
  return type === 'integer' && text !== '' && rule ? `${text} It ${rule}.` : text;
}

/** Words of the document, and what a language says for them. */
export type Words = readonly (readonly [RegExp, string])[];
export const inWords = (text: string, words: Words) =>
  words.reduce((said, [word, other]) => said.replaceAll(word, other), text);

const firstOf = (path: string) => camel(path.split('/')[2] ?? '');

function resourceOf({ paths }: Document, path: string, tag: string): string {
  const named = lowerFirst(tag);
  return Object.keys(paths).some((one) => firstOf(one) === named) ? named : firstOf(path);
}

/** Whether the words of a resource, such as `webhookEndpoints`, name it already. */
const isNamed = (resource: string, word: string) =>
  resource.split(/(?=[A-Z])/).some((part) => singular(part).toLowerCase() === singular(word).toLowerCase());

/** `cancelGift` of gifts is `cancel`, `listBalanceEntries` of the balance `entries`; acts of the sandbox are named by their path. */
function nameOf(resource: string, operationId: string, path: string): string {
  if (resource === 'sandbox') return path.split('/').at(-1) ?? '';
  const [verb = '', ...words] = operationId.split(/(?=[A-Z])/);
  const noun = words.filter((word) => !isNamed(resource, word)).join('');
  return ['list', 'retrieve'].includes(verb) && noun !== '' ? lowerFirst(noun) : `${verb}${noun}`;
}

/** A member that is always there and never null, best one with a fixed text. */
function markOf({ required = [], properties = {} }: Schema): Mark | undefined {
  const isFixed = properties['object']?.const !== undefined;
  const member = isFixed ? 'object' : required.find((name) => properties[name]?.anyOf === undefined);
  if (member === undefined) return undefined;
  const { type, const: value } = properties[member] ?? {};
  return { member, type: String(type), ...(typeof value === 'string' && { value }) };
}

/** Without what only a program that writes its own requests can use. */
const clientText = (description: string) => description.replaceAll(/ With `Accept: text\/csv` [^.]*\./g, '');

function operationOf(document: Document, method: string, path: string, described: Described): ClientOperation {
  const { operationId: id, parameters = [], requestBody, responses } = described;
  const named = (place: string) => parameters.filter((one) => one.in === place);
  const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const { content } = document.components.responses[refOf(response) ?? ''] ?? response ?? {};
  const answer = refOf(content?.['application/json']?.schema) ?? '';
  const answered = document.components.schemas[answer] ?? {};
  const item = refOf(answered.properties?.['data']?.items);
  const query = named('query');
  const takesKey = named('header').some(({ name }) => name === 'Idempotency-Key');
  const body = refOf(requestBody?.content?.['application/json']?.schema);
  const resource = resourceOf(document, path, described.tags[0] ?? '');
  const mark = markOf(answered);
  return {
    id,
    method: method.toUpperCase(),
    path,
    resource,
    name: nameOf(resource, id, path),
    ids: named('path').map(({ name }) => name),
    values: named('path').filter(({ name }) => !name.endsWith('_id')),
    query,
    ...(body !== undefined && { body }),
    isBodyOptional: requestBody?.required === false,
    isChange: ['put', 'patch'].includes(method) && !takesKey,
    answer,
    ...(item !== undefined && { item }),
    isPaged: query.some(({ name }) => name === 'starting_after'),
    takesKey,
    takesExpand: query.some(({ name }) => name === 'expand'),
    isSentOnce: described['x-sent-once'] ?? false,
    takesLong: described['x-takes-long'] ?? false,
    ...(mark !== undefined && { mark }),
    summary: described.summary,
    description: clientText(described.description),
    errors: Object.values(described['x-errors']).flat(),
  };
}

/** Keeps the codes that a caller of this operation expects: fewer than a quarter of the operations have them, or a path names what may be missing. */
function withOwnErrors(operations: ClientOperation[]): ClientOperation[] {
  const count = (code: string) => operations.filter(({ errors }) => errors.includes(code)).length;
  return operations.map((operation) => ({
    ...operation,
    errors: operation.errors.filter((code) => code === 'resource_missing' || count(code) < operations.length / 4),
  }));
}

export function clientModel(openapi: string): ClientModel {
  const document = JSON.parse(openapi) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(document, method, path, described)),
  );
  const resources = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ tags: [tag = ''] }) => {
      const { description = '' } = document.tags.find(({ name }) => name === tag) ?? {};
      return [resourceOf(document, path, tag), description.split('\n\n')[0]];
    }),
  );
  return {
    operations: withOwnErrors(operations),
    resources: Object.fromEntries(resources),
    schemas: document.components.schemas,
  };
}

/** The names of the schemas that a schema names, directly or not, and its own. */
export function reached(
  schemas: ClientModel['schemas'],
  name: string | undefined,
  found = new Set<string>(),
): Set<string> {
  if (name === undefined || found.has(name) || schemas[name] === undefined) return found;
  const names = JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g);
  found.add(name);
  for (const [, one] of names) reached(schemas, one, found);
  return found;
}

/** The schema that another one is named after and has all members of, such as `WebhookEndpointWithSecret`. */
export function parentOf(schemas: ClientModel['schemas'], name: string): string | undefined {
  const members = Object.keys(schemas[name]?.properties ?? {});
  return Object.entries(schemas).find(([other, { properties = {} }]) => {
    const held = Object.keys(properties);
    return name.startsWith(`${other}With`) && held.length > 0 && held.every((member) => members.includes(member));
  })?.[0];
}
