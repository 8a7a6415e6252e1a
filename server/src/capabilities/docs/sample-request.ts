import type { Operation, Placed, ReferenceDocument } from './reference-document.ts';

/** The request that all samples of an operation send. */
export interface SampleRequest {
  operationId: string;
  method: string;
  /** With values instead of names, without the query. */
  path: string;
  /** The values in the path, in order. */
  ids: string[];
  query: [name: string, value: string][];
  idempotencyKey: string | undefined;
  body: unknown;
  needsKey: boolean;
}

/** Optional parameters that a sample shows, by operation. */
const SHOWN: Record<string, string> = {
  listOrders: 'created_after',
  listGifts: 'created_after',
  listBalanceEntries: 'created_after',
  listEvents: 'types',
  retrieveLedgerProof: 'entry_id',
};

const firstExample = ({ requestBody }: Operation): unknown =>
  Object.values(requestBody?.content['application/json'].examples ?? {})[0]?.value;

/** An entry's id has no example where it is a parameter. */
function entryIdIn({ paths }: ReferenceDocument): string {
  const answer = paths['/v1/balance/entries']?.['get']?.responses['200']?.content?.['application/json'].example;
  return (answer as { data: { entry_id: string }[] } | undefined)?.data[0]?.entry_id ?? '';
}

/** Fills an operation with the examples of the document. */
export function sampleRequest({ method, path = '', operation }: Placed, document: ReferenceDocument): SampleRequest {
  const { operationId, parameters = [], security } = operation;
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.name === SHOWN[operationId]);
  return {
    operationId,
    method,
    path: ofPath.reduce((filled, { name, example }) => filled.replace(`{${name}}`, `${example}`), path),
    ids: ofPath.map(({ example }) => `${example}`),
    query: query.map(({ name, example }) => [name, example ?? entryIdIn(document)]),
    idempotencyKey: parameters.find(({ name }) => name === 'Idempotency-Key')?.example,
    body: firstExample(operation),
    needsKey: security?.length !== 0,
  };
}

/** The address with its query. @param publicUrl without a final slash */
export function addressOf(publicUrl: string, { path, query }: Pick<SampleRequest, 'path' | 'query'>): string {
  const pairs = query.map(([name, value]) => `${name}=${value}`);
  return `${publicUrl}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}
