/** The parts of OpenAPI that a client can depend on. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Header {
  $ref?: string;
  required?: boolean;
}

interface Response {
  $ref?: string;
  headers?: Record<string, Header>;
  content?: Record<string, { schema: Schema }>;
}

type Security = Record<string, string[]>[];

interface Operation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  security?: Security;
}

interface Document {
  /** The document's default security. */
  security?: Security;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, Header>;
  };
}

/** `answer`: what clients read must stay; `request`: what clients send must stay allowed. */
type Direction = 'answer' | 'request';

const least = ['minimum', 'minLength', 'minItems'] as const;
const most = ['maximum', 'maxLength', 'maxItems'] as const;

interface Changes {
  before: Document;
  after: Document;
  found: string[];
}

/** Follows a reference to a component. */
function resolve<Part extends { $ref?: string }>({ components }: Document, part: Part): Part {
  const [kind, name] = part.$ref?.split('/').slice(-2) ?? [];
  if (kind === undefined || name === undefined) return part;
  return (components as unknown as Record<string, Record<string, Part>>)[kind]?.[name] ?? ({} as Part);
}

function compare(
  changes: Changes,
  where: string,
  oldRef: Schema,
  newRef: Schema | undefined,
  direction: Direction,
): void {
  if (newRef === undefined) {
    changes.found.push(`${where} is gone`);
    return;
  }
  const was = resolve(changes.before, oldRef);
  const is = resolve(changes.after, newRef);
  if (JSON.stringify(was.type) !== JSON.stringify(is.type)) changes.found.push(`${where} has another type`);
  compareValues(changes, where, was, is, direction);
  if (direction === 'request') compareLimits(changes, where, was, is);
  compareFields(changes, where, was, is, direction);
  if (was.items) compare(changes, `${where}[]`, was.items, is.items, direction);
  for (const [index, shape] of (was.oneOf ?? []).entries())
    compare(
      changes,
      `${where} (${shape.$ref ?? index})`,
      shape,
      is.oneOf?.find(({ $ref }) => $ref === shape.$ref),
      direction,
    );
}

function compareValues(changes: Changes, where: string, was: Schema, is: Schema, direction: Direction): void {
  if (was.const !== is.const) changes.found.push(`${where} has another value`);
  const [smaller, larger] = direction === 'answer' ? [is.enum, was.enum] : [was.enum, is.enum];
  if (larger && !smaller?.every((value) => larger.includes(value))) changes.found.push(`${where} has other values`);
}

function compareLimits(changes: Changes, where: string, was: Schema, is: Schema): void {
  for (const limit of least)
    if ((is[limit] ?? -Infinity) > (was[limit] ?? -Infinity)) changes.found.push(`${where}: ${limit} is higher`);
  for (const limit of most)
    if ((is[limit] ?? Infinity) < (was[limit] ?? Infinity)) changes.found.push(`${where}: ${limit} is lower`);
  if (is.pattern !== undefined && is.pattern !== was.pattern) changes.found.push(`${where} must match another pattern`);
}

function compareFields(changes: Changes, where: string, was: Schema, is: Schema, direction: Direction): void {
  for (const [name, field] of Object.entries(was.properties ?? {}))
    compare(changes, `${where}.${name}`, field, is.properties?.[name], direction);
  const [needed, given] = direction === 'answer' ? [was.required, is.required] : [is.required, was.required];
  for (const name of needed ?? [])
    if (!given?.includes(name))
      changes.found.push(`${where}.${name} is ${direction === 'answer' ? 'no longer always there' : 'newly required'}`);
}

function compareOperation(changes: Changes, name: string, was: Operation, is: Operation): void {
  const same = (parameters: Parameter[] | undefined, wanted: Parameter) =>
    parameters?.find((other) => other.name === wanted.name && other.in === wanted.in);
  for (const parameter of was.parameters ?? [])
    compare(changes, `${name} ${parameter.name}`, parameter.schema, same(is.parameters, parameter)?.schema, 'request');
  for (const parameter of is.parameters ?? [])
    if (parameter.required && !same(was.parameters, parameter)?.required)
      changes.found.push(`${name} ${parameter.name} is newly required`);
  if (is.requestBody?.required && !was.requestBody?.required) changes.found.push(`${name} body is newly required`);
  for (const [type, { schema }] of Object.entries(was.requestBody?.content ?? {}))
    compare(changes, `${name} body`, schema, is.requestBody?.content[type]?.schema, 'request');
  for (const [status, response] of Object.entries(was.responses))
    compareResponse(changes, `${name} ${status}`, response, is.responses[status]);
  if (needsKey(changes.after, is) && !needsKey(changes.before, was)) changes.found.push(`${name} newly wants a key`);
}

function compareResponse(changes: Changes, where: string, oldRef: Response, newRef: Response | undefined): void {
  if (newRef === undefined) changes.found.push(`${where} is gone`);
  const was = resolve(changes.before, oldRef);
  const is = newRef && resolve(changes.after, newRef);
  for (const [name, header] of Object.entries(was.headers ?? {})) {
    const same = is?.headers?.[name];
    if (same === undefined) changes.found.push(`${where} has no header ${name} any more`);
    else if (resolve(changes.before, header).required && !resolve(changes.after, same).required)
      changes.found.push(`${where} may lack the header ${name}`);
  }
  for (const [type, { schema }] of Object.entries(was.content ?? {}))
    compare(changes, where, schema, is?.content?.[type]?.schema, 'answer');
}

/** Lists changes that would break a client written for `before`, in plain words. */
export function breakingChanges(before: Document, after: Document): string[] {
  const found: string[] = [];
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const same = after.paths[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (same === undefined) found.push(`${name} is gone`);
      else compareOperation({ before, after, found }, name, operation, same);
    }
  return found;
}

const needsKey = ({ security: ofAll = [] }: Document, { security = ofAll }: Operation) => security.length > 0;
