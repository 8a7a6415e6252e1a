import { readFileSync } from 'node:fs';

/** An operation of an OpenAPI document. */
export interface DescribedOperation {
  operationId: string;
  method: string;
  path: string;
  parameters?: { name: string; in: string }[];
  requestBody?: unknown;
  'x-access'?: string;
}

/** @param file `openapi.json` or `portal/openapi.json` */
export function describedOperations(file: string): DescribedOperation[] {
  const { paths } = JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, Omit<DescribedOperation, 'method' | 'path'>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  );
}
