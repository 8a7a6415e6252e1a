import { withoutTurns } from 'bestow-readers/direction.ts';
import type { BestowError } from '../../platform/base/errors.ts';
import { nextStep } from './next-step.ts';
import { inWordsOfTools } from './words-of-tools.ts';

/** As MCP has it: one text, which is JSON, and the same as an object that fits the tool's output schema. */
export interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Every text for a model is made here. */
const textOf = (body: object) => withoutTurns(JSON.stringify(body));

export function resultOf(body: object): ToolResult {
  const text = textOf(body);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

/**
 * An error as an agent reads it: what is wrong, and what to do next. As text only, because clients hold structured content
 * against the output schema.
 */
export function failureOf(error: BestowError, requestId: string, publicUrl: string): ToolResult {
  const { type, code, reason, orderId: order_id, retryAfterSeconds: retry_after_seconds } = error;
  const message = inWordsOfTools(error.message);
  const param = error.param === undefined ? undefined : inWordsOfTools(error.param);
  const doc_url = type === undefined ? undefined : `${publicUrl}/docs/errors#${code}`;
  const next_step = nextStep(code, param, reason);
  const body = {
    type,
    code,
    message,
    reason,
    param,
    order_id,
    doc_url,
    request_id: requestId,
    retry_after_seconds,
    next_step,
  };
  return { content: [{ type: 'text', text: textOf({ error: body }) }], isError: true };
}
