import { addressOf, type SampleRequest } from './sample-request.ts';
import { type Syntax, writeValue } from './write-value.ts';

const CONSTANTS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

const PYTHON: Syntax = {
  indent: '    ',
  padding: '',
  end: ',',
  key: (name) => JSON.stringify(name),
  scalar: (value) => CONSTANTS[`${value}`] ?? JSON.stringify(value),
};

const NO_REDIRECTS = [
  '',
  'class NoRedirects(urllib.request.HTTPRedirectHandler):',
  '    def redirect_request(self, *args):',
  '        return None  # Another host would get the key.',
];

/** Writes a request as a program in Python without packages. @param publicUrl without a final slash */
export function pythonSample(publicUrl: string, request: SampleRequest): string {
  const { method, idempotencyKey, body, needsKey } = request;
  const headers = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...(idempotencyKey === undefined ? [] : [`"Idempotency-Key": ${JSON.stringify(idempotencyKey)}`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    'import json',
    ...(needsKey ? ['import os'] : []),
    'import urllib.request',
    ...(needsKey ? NO_REDIRECTS : []),
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(addressOf(publicUrl, request))},`,
    ...(method === usual ? [] : [`    method=${JSON.stringify(method)},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${writeValue(body, PYTHON, '    ')}).encode(),`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
    ')',
    `with ${needsKey ? 'urllib.request.build_opener(NoRedirects).open' : 'urllib.request.urlopen'}(request) as answer:`,
    '    print(json.dumps(json.load(answer), indent=2))',
  ].join('\n');
}
