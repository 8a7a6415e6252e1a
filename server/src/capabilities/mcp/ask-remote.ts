import type { Implementation } from '@modelcontextprotocol/server';
import { errorCode } from '../../platform/base/error-code.ts';
import { sessionIdFor } from './client-claim.ts';
import { nextStep } from './next-step.ts';

/** Longer than the service takes for any answer. */
const TIMEOUT_MS = 30_000;

export interface Remote {
  /** The address of a Bestow. */
  from: string;
  key: string;
  /** The program that calls. */
  client: Implementation | undefined;
}

interface RemoteError {
  code: unknown;
  message: string;
  next_step?: string | undefined;
}

interface Message {
  /** Of the answer. */
  status: number;
  result?: unknown;
  error?: RemoteError;
}

const CHECK_ADDRESS =
  'Tell the person: check that Bestow runs there, and that BESTOW_URL or --url is its address, as PUBLIC_URL has it.';

/** The address does not answer as a Bestow does. */
export class Unreachable extends Error {
  readonly error: RemoteError;

  constructor(error: RemoteError, cause?: unknown) {
    super(`${error.message} ${error.next_step}`, { cause });
    this.error = error;
  }
}

/** Nothing was sent. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Asks the `/mcp` of a Bestow without a session, in the protocol's revision of 2025, which needs no special headers.
 *
 * @throws Unreachable
 */
export async function askRemote(remote: Remote, method: string, params: object): Promise<Message> {
  const url = `${remote.from.replace(/\/+$/, '')}/mcp`;
  const { response, text } = await post(remote, url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const { status } = response;
  const message = readMessage(text);
  const isMissing = status === 404 && message?.error?.code === 'resource_missing';
  if (message === undefined || isMissing)
    throw new Unreachable({
      code: 'address_wrong',
      message: `${remote.from} is not the address of a Bestow: ${url} answered with status ${status}. Nothing was done.`,
      next_step: CHECK_ADDRESS,
    });
  if (response.ok || message.error === undefined) return { ...message, status };
  const retryAfter = response.headers.get('retry-after');
  return {
    status,
    error: {
      ...message.error,
      ...(retryAfter === null ? {} : { retry_after_seconds: Number(retryAfter) }),
      next_step: nextStep(String(message.error.code)),
    },
  };
}

async function post({ from, key, client }: Remote, url: string, body: string) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(client === undefined ? {} : { 'mcp-session-id': sessionIdFor(client) }),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { response, text: await response.text() };
  } catch (error) {
    throw unreachable(from, error);
  }
}

function unreachable(from: string, error: unknown): Unreachable {
  const { message, cause } = error as Error;
  const code = errorCode(cause);
  const reason = code ?? (cause as Error | undefined)?.message ?? message;
  if (code !== undefined && NOT_CONNECTED.includes(code)) {
    const text = `${from} could not be reached (${reason}). Nothing was done.`;
    return new Unreachable({ code: 'connection_failed', message: text, next_step: CHECK_ADDRESS }, error);
  }
  return new Unreachable(
    {
      code: 'connection_lost',
      message: `${from} did not answer (${reason}). The call may have had its effect.`,
      next_step:
        'Call the tool again with the same arguments. A preview_token buys one order, however often it is sent. Before you repeat resend_gift or replace_link without an idempotency_key, look at last_sent_at with get_gift.',
    },
    error,
  );
}

/** This revision answers with a stream of one event. Undefined if no Bestow wrote the text. */
function readMessage(text: string): Omit<Message, 'status'> | undefined {
  try {
    const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return Object(message).result !== undefined || Object(message).error?.message !== undefined ? message : undefined;
  } catch {
    return undefined;
  }
}
