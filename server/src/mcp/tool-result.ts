import type { ErrorCode } from '../errors.ts';
import { nextStep } from './next-step.ts';

/** As MCP has it: one text, which is JSON. */
export interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[];
  isError?: true;
}

export const resultOf = (body: object): ToolResult => ({ content: [{ type: 'text', text: JSON.stringify(body) }] });

/** An error as an agent reads it: what is wrong, and what to do next. @param retryAfter seconds */
export const failureOf = (error: { code: ErrorCode; message: string }, retryAfter?: string): ToolResult => ({
  ...resultOf({
    error: {
      ...error,
      ...(retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }),
      next_step: nextStep(error.code),
    },
  }),
  isError: true,
});
