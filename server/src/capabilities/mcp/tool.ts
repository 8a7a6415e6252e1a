import type { JSONObject } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { Operation } from '../../platform/api/operation.ts';
import type { Need } from '../../platform/authentication/permissions.ts';

export interface Hints {
  readOnlyHint: boolean;
  /** Whether the act may end or void something. */
  destructiveHint: boolean;
  /** Whether the same call again does nothing more. */
  idempotentHint: boolean;
  /** Whether the act reaches people outside of the service. */
  openWorldHint: boolean;
}

/** A tool as the table has it. */
export interface Declaration {
  title: string;
  /** What the grant of an agent must have. The tool's statements check it; the list of tools follows it. */
  needs: Need;
  /** For a model: without the words of HTTP. */
  description: string;
  hints: Hints;
  /** The operation of `/v1` that the tool calls; its fields are the tool's arguments. */
  operationId?: string;
  /** The argument that is the operation's whole body. */
  bodyArgument?: string;
  /** Whether the tool can do without the operation's body. */
  isBodyOptional?: boolean;
  /** Arguments besides those of the operation, or in place of them. */
  more?: Record<string, TSchema>;
  /** Descriptions in place of the operation's, by the name of the field. */
  words?: Readonly<Record<string, string>>;
  /** What the tool answers if that is not the operation's answer. */
  answer?: TSchema;
}

/** JSON Schema of an object, without references. */
export interface ObjectSchema extends JSONObject {
  type: 'object';
  properties: Record<string, JSONObject>;
  required: string[];
}

/** A tool of `/mcp`. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: Hints & { title: string };
  needs: Need;
  operation: Operation | undefined;
  bodyArgument: string | undefined;
}
