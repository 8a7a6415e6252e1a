import { readFileSync } from 'node:fs';
import type { Nasty } from './nasty-strings.ts';
import { endsLine, requestOf } from './place.ts';

/** Whose portal is asked, and what its other parameters name meanwhile. */
export interface PortalGround {
  /** `Cookie` of an admin who is signed in. */
  cookie: string;
  origin: string;
  /** By the name of a path's parameter. */
  known: Record<string, string>;
}

export interface PortalPlace {
  name: string;
  isAlone(value: Nasty): boolean;
  request(value: Nasty, ground: PortalGround): Buffer;
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
}
interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync(new URL('../../../portal/openapi.json', import.meta.url), 'utf8')) as Document;

const percent = ({ bytes }: Nasty) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Fills a path's parameters with what is known, but one of them with the value. */
const pathOf = (path: string, ground: PortalGround, nasty?: { name: string; text: string }) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === nasty?.name ? nasty.text : (ground.known[name] ?? 'none')));

function fieldsOf(schema: Schema): string[] {
  const { $ref, properties = {}, oneOf = [] } = schema;
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? ''];
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap(fieldsOf), ...(named ? fieldsOf(named) : [])])];
}

function placesOf(path: string, method: string, { parameters = [], requestBody }: Operation): PortalPlace[] {
  const verb = method.toUpperCase();
  const send = (target: string | Buffer, ground: PortalGround, body?: Buffer) =>
    requestOf(
      Buffer.concat([Buffer.from(`${verb} `), Buffer.from(target)]),
      [`Origin: ${ground.origin}`, `Cookie: ${ground.cookie}`, 'Content-Type: application/json'],
      method === 'get' ? undefined : (body ?? Buffer.from('{}')),
    );
  const inBody = (name: string, bodyOf: (value: Nasty) => Buffer): PortalPlace => ({
    name: `${verb} ${path}: ${name}`,
    isAlone: () => false,
    request: (value, ground) => send(pathOf(path, ground), ground, bodyOf(value)),
  });
  const json = (before: string, { json: literal }: Nasty, after: string) =>
    Buffer.concat([Buffer.from(before), literal, Buffer.from(after)]);
  return [
    ...parameters.flatMap(({ in: where, name }): PortalPlace[] => {
      if (where !== 'path' && where !== 'query') return [];
      const target = (text: string, ground: PortalGround) =>
        where === 'path' ? pathOf(path, ground, { name, text }) : `${pathOf(path, ground)}?${name}=${text}`;
      return [
        {
          name: `${verb} ${path}: ${name}`,
          isAlone: () => false,
          request: (value, ground) => send(target(percent(value), ground), ground),
        },
        {
          name: `${verb} ${path}: ${name}, raw`,
          isAlone: endsLine,
          request: (value, ground) =>
            send(Buffer.from(target(value.bytes.toString('latin1'), ground), 'latin1'), ground),
        },
      ];
    }),
    ...(requestBody
      ? [
          inBody('whole body', (value) => json('', value, '')),
          inBody('whole body, byte by byte', ({ bytes }) => bytes),
          inBody('a field’s name', (value) => json('{', value, ':0}')),
          ...fieldsOf(requestBody.content['application/json'].schema).map((field) =>
            inBody(field, (value) => json(`{"method":"email","role":"member","${field}":`, value, '}')),
          ),
        ]
      : []),
  ];
}

/** Signing in, which the document does not describe. */
const signIn: Operation = {
  requestBody: {
    content: {
      'application/json': { schema: { properties: { email: {}, type: {}, otp: {}, callbackURL: {}, token: {} } } },
    },
  },
};

/** Every path, query parameter and body of the portal's interface. */
export const portalPlaces: readonly PortalPlace[] = [
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => placesOf(path, method, operation)),
  ),
  ...['send-verification-otp', 'check-verification-otp'].flatMap((act) =>
    placesOf(`/portal/api/auth/email-otp/${act}`, 'post', signIn),
  ),
  ...placesOf('/portal/api/auth/sign-in/email-otp', 'post', signIn),
  ...placesOf('/portal/api/auth/{act}', 'get', { parameters: [{ in: 'path', name: 'act' }] }),
];
