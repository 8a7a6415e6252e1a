import { addressOf, type SampleRequest } from './sample-request.ts';
import { writeJson } from './write-value.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a request as a command. @param publicUrl without a final slash */
export function curlSample(publicUrl: string, request: SampleRequest): string {
  const { method, query, idempotencyKey, body, needsKey } = request;
  const address = addressOf(publicUrl, request);
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    `curl ${method === usual ? '' : `-X ${method} `}${query.length === 0 ? address : quoted(address)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(writeJson(body, '  '))}`]),
  ].join(' \\\n  ');
}
