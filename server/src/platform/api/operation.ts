import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { MemberPermission } from '../authentication/permissions.ts';
import type { Environment } from '../base/environment.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Config } from '../configuration/config.ts';
import type { Access } from '../http/request-context.ts';
import { compressList } from '../pages/compress.ts';
import { refuseUnknownParameters } from './known-parameters.ts';
import { referredBy } from './schema.ts';

/** One operation of `/v1` or of the portal: the route, its types and its part of an OpenAPI document. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{parameters}`; in the portal below `/portal/api`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  /** The portal adds: a signed-in person, a member of the organization in the path. The operator's page adds: an operator. */
  access: Access | 'person' | 'member' | 'operator';
  /** The portal: what the member's role must include, one of several; without it every member may call. */
  needs?: MemberPermission | readonly MemberPermission[];
  /** The portal: it keeps to `reach` by itself, so that members who see only what their team sent may call it. */
  keepsToReach?: boolean;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TSchema;
  /** Without a response schema the answer is a file, or 204. */
  response?: TSchema;
  file?: 'text/csv' | 'text/html' | 'application/json' | 'application/pdf';

  /** Portal: allowed for admins of a suspended organization, because the operation only removes access. */
  isPossibleWhileSuspended?: boolean;
  /** Portal: whose gifts it changes, if the path names no environment. */
  environment?: Environment;
  /** Portal: allowed only within ten minutes of a sign-in or of a second factor, because the operation moves value. */
  needsFreshSignIn?: boolean;

  /** The operator's page: it changes nothing and shows data of a recipient, so the look is recorded. */
  showsPerson?: boolean;

  /** `/v1` */
  isBodyOptional?: boolean;
  description?: string;
  bodyExamples?: Record<string, { summary: string; value: unknown }>;
  /** The successful answers by status; without them 200 “Done.” */
  answers?: Readonly<Partial<Record<200 | 201, Answer>>>;
  /** The operation's own codes; the document adds those of authentication, limits and failures. */
  errors?: readonly ErrorCode[];
  /** With `Accept: text/csv` the answer is a file. */
  hasCsv?: boolean;
  /** The answer may be long, so it is compressed for clients that accept it. */
  isCompressed?: boolean;
  /** With the parameter `wait` a request waits, and counts apart from the key's others. */
  waits?: boolean;
  /** The answer may take minutes. */
  takesLong?: boolean;
  /** It has no key, and a repeat could do more than the first request, or fail because of it. */
  isSentOnce?: boolean;
  /** In the sandbox the recipient's address steers the outcome. */
  isMockable?: boolean;
}

interface Answer {
  /** Its own component, because ogen makes one type of all answers with the same schema. */
  name?: string;
  description: string;
  example?: unknown;
  headers?: Record<string, { description: string; schema: object; required?: boolean }>;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

export type ParamsOf<Of extends Operation> = Record<NamesIn<Of['path']>, string>;
export type QueryOf<Of extends Operation> = Of['query'] extends TObject ? Static<Of['query']> : Record<never, never>;
type BodyOf<Of extends Operation> = Of['body'] extends TSchema
  ? Static<Of['body']> | (Of['isBodyOptional'] extends true ? undefined : never)
  : undefined;
export type AnswerOf<Of extends Operation> = Of['response'] extends TSchema ? Static<Of['response']> : unknown;

export interface Call<Of extends Operation> {
  params: ParamsOf<Of>;
  body: BodyOf<Of>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type AddRoute = <const Of extends Operation>(
  operation: Of,
  answer: (call: Call<Of>) => AnswerOf<Of> | Promise<AnswerOf<Of>>,
  hooks?: Pick<RouteOptions, 'onRequest' | 'preValidation' | 'onSend'>,
) => void;

/** How long a connection is silent at most until an answer that takes long. */
const LONG_ANSWER_MS = 310_000;

const DONE: NonNullable<Operation['answers']> = { 200: { description: 'Done.' } };

export const answersOf = ({ answers = DONE }: Operation) => Object.entries(answers) as [string, Answer][];

const closedSchemas = new WeakMap<TSchema, TSchema>();

/** Refuses fields that an object's schema does not name. The same for each service of a process, so it is compiled once. */
function closed(schema: TSchema): TSchema {
  const made =
    closedSchemas.get(schema) ?? ('properties' in schema ? { additionalProperties: false, ...schema } : schema);
  closedSchemas.set(schema, made);
  return made;
}

/** Adds operations to the app, and lists them for the document and for tests. */
export function createRouter(
  app: FastifyInstance,
  { compressesLists }: Partial<Pick<Config, 'compressesLists'>> = {},
): { addRoute: AddRoute; operations: readonly Operation[] } {
  const operations: Operation[] = [];
  const addRoute: AddRoute = (operation, answer, hooks = {}) => {
    operations.push(operation);
    const { method, path, access, isBodyOptional, query, body, response, isCompressed, waits, takesLong }: Operation =
      operation;
    for (const schema of referredBy([body, response]))
      if (app.getSchema((schema as { $id: string }).$id) === undefined) app.addSchema(schema);
    const isOfKey = access === 'key' || access === 'sandbox';
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        access: isOfKey ? access : 'public',
        body: body === undefined ? 'ignored' : isBodyOptional ? 'optional' : 'required',
        ...(waits && { waits }),
      },
      schema: {
        ...(body && { body: closed(body) }),
        ...(response && { response: Object.fromEntries(answersOf(operation).map(([status]) => [status, response])) }),
      },
      ...(isCompressed && compressesLists ? { onSend: compressList } : {}),
      ...hooks,
      preValidation: [
        // A monitor may add what it likes to a public address, and the portal reads its queries itself.
        ...(isOfKey ? [refuseUnknownParameters(query)] : []),
        ...[hooks.preValidation ?? []].flat(),
      ],
      handler: (request, reply) => {
        // Node sets the limit of other answers again with this one.
        if (takesLong) request.raw.socket.setTimeout(LONG_ANSWER_MS);
        return answer({ params: request.params, body: request.body, request, reply } as Call<typeof operation>);
      },
    });
  };
  return { addRoute, operations };
}
