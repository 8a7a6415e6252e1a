import { readFileSync } from 'node:fs';
import type { Operation } from '../../src/platform/api/operation.ts';
import { portalDocument } from '../../src/surfaces/portal/document.ts';

/** An operation of an OpenAPI document. */
export interface DescribedOperation {
  operationId: string;
  method: string;
  path: string;
  parameters?: { name: string; in: string }[];
  requestBody?: unknown;
  'x-access'?: string;
}

interface Document {
  paths: Record<string, Record<string, Omit<DescribedOperation, 'method' | 'path'>>>;
}

/** The operations of `/v1`. */
export const describedOperations = (): DescribedOperation[] =>
  operationsOf(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')));

/** The operations of the portal or of the operator's page, whose documents are made of their routes. */
export const describedRoutes = (routes: readonly Operation[], app: 'portal' | 'operator'): DescribedOperation[] =>
  operationsOf(portalDocument(routes, app) as unknown as Document);

function operationsOf({ paths }: Document): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  );
}
