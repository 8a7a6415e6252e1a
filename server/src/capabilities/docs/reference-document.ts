import type { ErrorCode } from '../../platform/base/errors.ts';
import { type Resource, resources } from './api-description.ts';
import { objectsIn, type Schema, type Schemas } from './reference-schema.ts';

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Answer {
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: { 'application/json': Media };
}

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { 'application/json': Media } };
  responses: Record<string, Answer>;
  /** Absent if the service sends the request. */
  'x-errors'?: Record<string, ErrorCode[]>;
}

/** What the reference shows of the OpenAPI document of `/v1`. */
export interface ReferenceDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
}

/** An operation and how to call it. */
export interface Placed {
  /** In capitals. */
  method: string;
  /** Undefined if the service calls the reader's address. */
  path: string | undefined;
  operation: Operation;
}

/** What a page of the reference is about. */
export interface ResourceEntry {
  name: Resource;
  /** Markdown. */
  description: string;
  operations: Placed[];
  /** The names of the objects that are at home here, in alphabetical order. */
  objects: string[];
}

export const successesOf = ({ responses }: Operation): [string, Answer][] =>
  Object.entries(responses).filter(([status]) => status.startsWith('2'));

function operationsOf({ paths, webhooks }: ReferenceDocument, resource: Resource): Placed[] {
  const all = Object.entries(paths).flatMap(([path, methods]) => placed(methods, path));
  const called = all.filter(({ operation }) => operation.tags.includes(resource));
  // What is received stands beside what sets it up.
  const received = Object.values(webhooks).flatMap((methods) => placed(methods, undefined));
  return resource === 'Webhooks' ? [...called, ...received] : called;
}

const placed = (methods: Record<string, Operation>, path: string | undefined): Placed[] =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }));

/**
 * Returns the resources in order. An object is at home with the first resource that holds it nearest to the top of an answer:
 * a gift with the gifts, although orders contain gifts.
 */
export function resourcesOf(document: ReferenceDocument): ResourceEntry[] {
  const { schemas } = document.components;
  const homes = new Map<string, { name: Resource; depth: number }>();
  const entries = resources.map((name) => ({ name, operations: operationsOf(document, name) }));
  for (const { name, operations } of entries)
    for (const [, { content }] of operations.flatMap(({ operation }) => successesOf(operation))) {
      const found = content === undefined ? [] : objectsIn(content['application/json'].schema, schemas);
      for (const [object, depth] of found)
        if (depth < (homes.get(object)?.depth ?? Number.POSITIVE_INFINITY)) homes.set(object, { name, depth });
    }
  const isAtHome = (object: string, name: Resource) => homes.get(object)?.name === name;
  return entries.map(({ name, operations }) => ({
    name,
    description: document.tags.find((tag) => tag.name === name)?.description ?? '',
    operations,
    objects: [...homes.keys()].filter((object) => isAtHome(object, name)).sort(),
  }));
}

/** The resource on whose page an object is. */
export const homeOf = (object: string, resources: readonly ResourceEntry[]): ResourceEntry | undefined =>
  resources.find(({ objects }) => objects.includes(object));
