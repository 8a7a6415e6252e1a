import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../base/principal.ts';
import type { Member } from './access.ts';
import { Environment } from './schema.ts';
import type { Session } from './sign-in/sign-in.ts';

/** Who may call a route: anyone, whoever is signed in, or a member or an admin of the organization in the path. */
type PortalAccess = 'anyone' | 'person' | 'member' | 'admin';

/** One operation of the portal: its schema is also its part of `portal/openapi.json`, and the app's types. */
export interface PortalRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/portal/api`, with `{parameters}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  access: PortalAccess;
  /** For admins of a suspended organization too: it only takes away what can be done in its name. */
  isPossibleWhileSuspended?: boolean;
  /** Query parameters: strings, integers and booleans are read from their text. */
  query?: TObject;
  body?: TSchema;
  /** Left out: the answer is a file, or nothing (204). */
  response?: TSchema;
  /** What the file is. */
  file?: 'text/csv' | 'text/html';
}

type QueryOf<Route extends PortalRoute> = Route['query'] extends TObject
  ? Static<Route['query']>
  : Record<never, never>;
type BodyOf<Route extends PortalRoute> = Route['body'] extends TSchema ? Static<Route['body']> : undefined;
type AnswerOf<Route extends PortalRoute> = Route['response'] extends TSchema ? Static<Route['response']> : unknown;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

export interface Call<Route extends PortalRoute> {
  params: Record<NamesIn<Route['path']>, string>;
  query: QueryOf<Route>;
  body: BodyOf<Route>;
  /** Set where the access is `person`. */
  session: Route['access'] extends 'person' ? Session : undefined;
  /** Set where the access is `member` or `admin`. */
  member: Route['access'] extends 'member' | 'admin' ? Member : undefined;
  /** Organization and environment of the path. */
  scope: NamesIn<Route['path']> extends infer Names ? ('environment' extends Names ? Scope : undefined) : never;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Register = <const Route extends PortalRoute>(
  route: Route,
  answer: (call: Call<Route>) => Promise<AnswerOf<Route>> | AnswerOf<Route>,
) => void;

/** Schemas of the parameters in paths; any other is an id, which its act looks up. */
export const pathSchemas: Record<string, TSchema> = { environment: Environment };
