import { explainConnection } from '../../platform/base/explain-connection.ts';

/** An answer that says to retry; its message says which. */
export class Unavailable extends Error {}

/** Says why a call of a command got no answer, without a full stop. `fetch` itself says only “fetch failed”. */
export function noAnswerOf(error: unknown): string {
  if (error instanceof Unavailable) return error.message;
  const explained = explainConnection(error);
  if (explained !== undefined) return `${explained.text} (${explained.code})`;
  const { name, cause } = error as Error & { cause?: Error };
  if (name === 'TimeoutError') return 'It took too long';
  if (error instanceof SyntaxError) return 'The answer was not JSON';
  return /bad port/.test(String(cause?.message)) ? 'Calls to this port are not allowed' : 'The connection failed';
}
