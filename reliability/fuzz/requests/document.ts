import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  additionalProperties?: boolean;
}

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path';
  required: boolean;
  schema: Schema;
}

interface Response {
  headers?: Record<string, { $ref?: string; schema?: Schema }>;
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
}

interface DocumentOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  security: unknown[];
  responses: Record<string, Response>;
}

/** An operation of openapi.json. */
export interface Operation {
  operationId: string;
  /** In capitals. */
  method: string;
  /** With parameters in braces. */
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  body: { isRequired: boolean; schema: Schema } | undefined;
  /** By status. */
  responses: Record<string, DocumentedResponse>;
}

export interface DocumentedResponse {
  /** By content type. */
  bodies: Record<string, ValidateFunction>;
  /** By lower-case name. */
  headers: Record<string, ValidateFunction>;
  /** The names of the examples. Of an error these are its codes. */
  examples: string[];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { headers: Record<string, { schema: Schema }>; schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;

const ROOT = 'openapi.json';
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document as object, ROOT);

/** Compiles a schema with its references, apart from the service's own validators. */
const compile = (schema: Schema) => ajv.compile(pointToRoot(schema) as object);

function pointToRoot(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToRoot);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? ROOT + member : pointToRoot(member),
    ]),
  );
}

const validators = new WeakMap<Schema, ValidateFunction>();

export function isValid(schema: Schema, value: unknown): boolean {
  const validator = validators.get(schema) ?? compile(schema);
  validators.set(schema, validator);
  return validator(value) === true;
}

/** Follows a reference. */
export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (document.components.schemas[name] as Schema);
}

function readResponse({ headers = {}, content = {} }: Response): DocumentedResponse {
  const schemaOfHeader = ({ $ref, schema }: { $ref?: string; schema?: Schema }): Schema =>
    schema ?? (document.components.headers[$ref?.split('/').at(-1) ?? '']?.schema as Schema);
  return {
    bodies: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, compile(schema)])),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), compile(schemaOfHeader(header))]),
    ),
    examples: Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
  };
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Operation => {
    const [body] = Object.values(operation.requestBody?.content ?? {});
    return {
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      isPublic: operation.security.length === 0,
      parameters: operation.parameters ?? [],
      body: body && { isRequired: operation.requestBody?.required === true, schema: body.schema },
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, readResponse(response)]),
      ),
    };
  }),
);
