import { type TSchema, Type } from 'typebox';
import type { Operation } from '../../platform/api/operation.ts';
import { resolveRef } from '../../platform/api/schema.ts';
import { declarations } from './declarations.ts';
import { createSchemaMaker, type SchemaMaker } from './schemas.ts';
import type { Declaration, Tool } from './tool.ts';

/** Makes the tools from their table and the operations of `/v1`. */
export function createTools(operations: readonly Operation[]): readonly Tool[] {
  const make = createSchemaMaker();
  return Object.entries<Declaration>(declarations).map(([name, declaration]) => {
    const { operationId, title, needs, description, hints, bodyArgument, answer } = declaration;
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation === undefined && operationId !== undefined) throw new Error(`There is no operation ${operationId}.`);
    return {
      name,
      title,
      description,
      inputSchema: inputSchema(declaration, operation, make),
      outputSchema: make.output(answer ?? operation?.response ?? Type.Object({})),
      annotations: { title, ...hints },
      needs,
      operation,
      bodyArgument,
    };
  });
}

/** What a tool shows is its own choice. */
const EXPAND = 'expand';

/** The fields of the operation's path, query and body, then the tool's own arguments. */
function inputSchema(
  { bodyArgument, isBodyOptional = false, more = {}, words = {} }: Declaration,
  operation: Operation | undefined,
  make: SchemaMaker,
) {
  const { params, query, body } = operation ?? {};
  const ofBody = body && (bodyArgument === undefined ? resolveRef(body) : Type.Object({ [bodyArgument]: body }));
  const parts = [params, query, ofBody].filter((part) => part !== undefined);
  const fields = Object.assign({}, ...parts.map((part) => (part as { properties?: object }).properties));
  const kept = Object.entries<TSchema>(fields).filter(([name]) => name !== EXPAND && !(name in more));
  const needed = isBodyOptional ? parts.filter((part) => part !== ofBody) : parts;
  const required = needed.flatMap((part) => (part as { required?: string[] }).required ?? []);
  const own = Type.Object(more);
  return make.input(
    { ...Object.fromEntries(kept), ...own.properties },
    [...required.filter((name) => !(name in more)), ...(own.required ?? [])],
    words,
  );
}
