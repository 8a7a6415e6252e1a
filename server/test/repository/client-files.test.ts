import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientFiles } from '../generated/clients/client-files.ts';
import { readCommitted } from '../generated/generated-files.ts';

// An operation that is added to the document is in the three clients, with its types and its row.

const string = (description: string) => ({ type: 'string', description });
const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** The document with an operation that the service does not have. */
function withWrapping(openapi: string): string {
  const document = JSON.parse(openapi);
  document.components.schemas.WrapInput = {
    type: 'object',
    required: ['paper'],
    description: 'How a gift is wrapped.',
    properties: { paper: string('Its color.'), ribbon: { type: 'boolean' }, note: string('A note.') },
  };
  document.components.schemas.Wrapping = {
    type: 'object',
    required: ['wrapping_id', 'layers', 'wrapped_at', 'note'],
    description: 'The wrapping of a gift.',
    properties: {
      wrapping_id: string('Begins with `wrap_`.'),
      layers: { type: 'integer' },
      wrapped_at: { type: 'string', format: 'date-time' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  };
  document.paths['/v1/gifts/{gift_id}/wrap'] = {
    post: {
      operationId: 'wrapGift',
      tags: ['Gifts'],
      summary: 'Wrap a gift',
      description: 'Wraps a gift in paper.',
      parameters: [
        { name: 'gift_id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
      ],
      requestBody: { required: true, content: json('WrapInput') },
      responses: { 200: { description: 'The wrapping.', content: json('Wrapping') } },
      'x-errors': { 404: ['resource_missing'] },
    },
  };
  return JSON.stringify(document);
}

const openapi = await readCommitted('openapi.json');
const [before, after] = [clientFiles(openapi), clientFiles(withWrapping(openapi))];

/** The lines that the operation adds to the files of a client. */
const added = (folder: string) =>
  [...after]
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, text]) => {
      const known = new Set(before.get(path)?.split('\n'));
      return text.split('\n').filter((line) => !known.has(line));
    })
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

const wanted: Readonly<Record<string, readonly string[]>> = {
  'sdk/go/': [
    'type WrapInput struct {',
    'Ribbon bool `json:"ribbon,omitempty"`',
    'type Wrapping struct {',
    'WrappedAt time.Time `json:"wrapped_at"`',
    '// Wrap wraps a gift in paper. Codes of its errors: resource_missing.',
    'ctx context.Context, giftID string, input WrapInput, options ...CallOption,',
    'return callPath[Wrapping](ctx, service.client, wrapGift, []string{giftID}, input, options)',
    'wrapGift = operation{method: "POST", path: "/v1/gifts/{gift_id}/wrap", isOurs: textMark("wrapping_id"), takesKey: true}',
  ],
  'sdk/python/': [
    'class WrapInput(TypedDict):',
    'ribbon: NotRequired[bool]',
    'class Wrapping(TypedDict):',
    'note: str | None',
    'class WrapGift(WrapInput, ActOptions):',
    'async def wrap(self, gift_id: str, **members: Unpack[WrapGift]) -> Wrapping:',
    'def wrap(self, gift_id: str, **members: Unpack[WrapGift]) -> Wrapping:',
    '"wrapGift": Operation("POST", "/v1/gifts/{gift_id}/wrap", "wrapping_id", takes_key=True),',
  ],
  'sdk/src/': [
    "export interface WrapInput extends Schema<'WrapInput'> {}",
    "export interface Wrapping extends Schema<'Wrapping'> {}",
    'wrap: (giftId: string, body: WrapInput, options?: ActOptions): Promise<Answer<Wrapping>> =>',
    "connection.call('wrapGift', { ids: [giftId], body }, options),",
    "wrapGift: { method: 'POST', path: '/v1/gifts/{gift_id}/wrap', mark: 'wrapping_id', takesKey: true },",
    "wrapGift: { body: Schemas['WrapInput']; answer: Schemas['Wrapping'] };",
  ],
};

for (const [folder, lines] of Object.entries(wanted))
  test(`an operation that is added is generated in ${folder}`, () => {
    const written = added(folder);
    for (const line of lines) assert.ok(written.includes(line), `${line}\n\nis not in\n\n${written.join('\n')}`);
  });

test('a resource without a method by hand gets its methods from the first operation on', () => {
  const moved = withWrapping(openapi).replace('/v1/gifts/{gift_id}/wrap', '/v1/wrappings/{gift_id}');
  const files = clientFiles(moved.replace('"tags":["Gifts"],"summary":"Wrap', '"tags":["Wrappings"],"summary":"Wrap'));
  assert.match(files.get('sdk/go/wrappings.go') ?? '', /^type WrappingService struct\{ client \*Client \}$/m);
  assert.match(files.get('sdk/python/src/bestow_sdk/_async/wrappings.py') ?? '', /^class AsyncWrappingsResource:$/m);
  assert.match(files.get('sdk/src/methods.ts') ?? '', /^ {2}wrappings: \(connection: Connection\) => \(\{$/m);
});
