import type { JSONObject } from '@modelcontextprotocol/server';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Operation } from '../api/operation.ts';

/** A tool of `/mcp`. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema without references. */
  inputSchema: {
    type: 'object';
    properties: Record<string, JSONObject>;
    required: string[];
    additionalProperties: false;
  };
  annotations: Hints;
  /** The operation of `/v1` that the tool calls; the others have their own act. */
  operation: Operation | undefined;
  /** The argument that is the whole body; undefined if the body’s fields are arguments. */
  bodyArgument: string | undefined;
}

interface Hints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

interface Declaration extends Hints {
  operationId?: string;
  bodyArgument?: string;
  title?: string;
  /** In place of the operation’s. */
  description?: string;
  /** Arguments besides those of the operation. */
  more?: Record<string, TSchema>;
}

const READS = { readOnlyHint: true } as const;

const previewToken = Type.String({ description: 'The `preview_token` of `preview_order` for exactly this order.' });
const query = Type.String({ description: 'Words, such as an error code or a field.', minLength: 1, maxLength: 200 });

/** In the order in which an agent needs them. An operation’s own words and schemas describe what it takes. */
const declarations: Record<string, Declaration> = {
  list_categories: { ...READS, operationId: 'listCategories' },
  get_balance: { ...READS, operationId: 'retrieveBalance' },
  preview_order: {
    ...READS,
    operationId: 'createOrder',
    title: 'Preview an order',
    description:
      'Validates and prices an order of 1 to 10 gifts, and shows what the balance and the spending caps would leave. Buys nothing. The answer has a `preview_token` for `place_order`, valid for an hour, if the order can be placed. Show the person the recipients and the total before you place the order.',
  },
  place_order: {
    operationId: 'createOrder',
    destructiveHint: true,
    idempotentHint: true,
    more: { preview_token: previewToken },
    description:
      'Buys the gifts of a previewed order, paid from the balance in one debit, and sends the email and phone gifts. Send the same fields as to `preview_order`, unchanged, and its `preview_token`. After a time-out or a lost connection, call it again with the same arguments: a token buys one order, however often it is sent.',
  },
  get_order: { ...READS, operationId: 'retrieveOrder' },
  list_gifts: { ...READS, operationId: 'listGifts' },
  cancel_gift: { operationId: 'cancelGift', destructiveHint: true, idempotentHint: true },
  resend_gift: { operationId: 'resendGift', destructiveHint: false, idempotentHint: false },
  redirect_gift: { operationId: 'redirectGift', bodyArgument: 'delivery', destructiveHint: true },
  search_docs: {
    ...READS,
    title: 'Search the documentation',
    description: 'Finds the sections of the documentation that have every word, with links.',
    more: { query },
  },
};

/** Tools that call no operation. */
const OWN_ACTS = ['preview_order', 'search_docs'];

/** Makes the tools from the operations of `/v1` and the schemas that those refer to. */
export function createTools(operations: readonly Operation[], schemas: readonly TSchema[]): readonly Tool[] {
  const inline = createInliner(schemas);
  return Object.entries(declarations).map(([name, declaration]) => {
    const { operationId, bodyArgument, title, description, more = {}, ...annotations } = declaration;
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation === undefined && operationId !== undefined) throw new Error(`There is no operation ${operationId}.`);
    const parts = operation === undefined ? [] : partsOf(operation, bodyArgument, inline);
    const all = [...parts, Type.Object(more)];
    return {
      name,
      title: title ?? operation?.summary ?? name,
      description: description ?? operation?.description ?? '',
      inputSchema: {
        type: 'object',
        properties: Object.assign({}, ...all.map(({ properties }) => inline(properties))),
        required: all.flatMap(({ required = [] }) => required),
        additionalProperties: false,
      },
      annotations,
      operation: OWN_ACTS.includes(name) ? undefined : operation,
      bodyArgument,
    };
  });
}

function partsOf({ params, query, body }: Operation, bodyArgument: string | undefined, inline: Inline): TObject[] {
  const asArgument = bodyArgument !== undefined && body !== undefined && Type.Object({ [bodyArgument]: body });
  return [params, query, asArgument || (body && (inline(body) as TObject))].filter((part) => part !== undefined);
}

type Inline = (value: unknown) => unknown;

/** Replaces references by what they name, because not every model reads references; leaves out what only we understand. */
function createInliner(schemas: readonly TSchema[]): Inline {
  const byId = new Map(schemas.map((schema) => [(schema as { $id?: string }).$id, schema]));
  const inline: Inline = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const { $ref, ...rest } = value as Record<string, unknown>;
    if (typeof $ref === 'string') return { ...(inline(byId.get($ref.replace(/#$/, ''))) as object), ...rest };
    const { 'x-portable-pattern': pattern, $id: _, discriminator: __, ...schema } = rest;
    const own = Object.entries(pattern === undefined ? schema : { ...schema, pattern });
    return Object.fromEntries(own.filter(([key]) => !key.startsWith('x-')).map(([key, item]) => [key, inline(item)]));
  };
  return inline;
}
