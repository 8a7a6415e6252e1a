import type { Operation } from './reference-page.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes an operation as a command, with its first example. @param publicUrl without a final slash */
export function curlSample(publicUrl: string, method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation;
  const examples = requestBody?.content['application/json'].examples ?? {};
  const [body] = Object.values(examples).map(({ value }) => JSON.stringify(value, null, 2));
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, `${example}`), `${publicUrl}${path}`);
  const usual = body === undefined ? 'GET' : 'POST';
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.example !== undefined);
  return [
    `curl ${method === usual ? '' : `-X ${method} `}${address}`,
    ...(security?.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...headers.map(({ name, example }) => `-H ${quoted(`${name}: ${example}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
