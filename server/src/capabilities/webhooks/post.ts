import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Clock } from '../../platform/base/clock.ts';
import { storable } from '../../platform/base/storable.ts';
import { type Agents, PushFailure } from './checked-agents.ts';

export const ANSWERED_WITHIN_MS = 10_000;
const MAX_READ_BYTES = 65_536;
const MAX_KEPT_BYTES = 1_024;

interface Post {
  url: string;
  headers: Record<string, string | number>;
  body: string;
  agents: Agents;
  clock: Clock;
  stop: AbortSignal;
}

interface Posted {
  status: number;
  /** The first kilobyte. */
  text: string;
  retryAfter: string | undefined;
}

/** Posts once, without following a redirect; rejects without an answer within ten seconds. */
export function post({ url, headers, body, agents, clock, stop }: Post): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const isHttps = url.startsWith('https:');
    const options = { method: 'POST', headers, agent: isHttps ? agents.https : agents.http };
    const request = (isHttps ? httpsRequest : httpRequest)(url, options);
    const endWith = (reason: string) => () => request.destroy(new PushFailure(reason));
    const timer = clock.setTimeout(endWith('No answer within ten seconds.'), ANSWERED_WITHIN_MS);
    const abort = endWith('The process stops.');
    stop.addEventListener('abort', abort);
    request.on('error', reject).on('close', () => {
      clock.clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    });
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      const retryAfter = response.headers['retry-after'];
      readBody(response).then((text) => resolve({ status: statusCode, text, retryAfter }), reject);
    });
    request.end(body);
  });
}

/** Reads the answer to its end or to the limit, then closes a connection that has more. */
async function readBody(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (keptBytes < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - keptBytes));
    keptBytes = Math.min(bytes, MAX_KEPT_BYTES);
    if (bytes > MAX_READ_BYTES) break;
  }
  return storable(decode(Buffer.concat(kept), response.headers['content-encoding']));
}

/** The text of the beginning of an answer, also of one that is compressed although nothing asked for that. */
function decode(beginning: Buffer, encoding: string | undefined): string {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return beginning.toString('utf8');
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    // A kilobyte is at most a megabyte of text.
    const text = /^(?:x-)?gzip$/.test(name)
      ? gunzipSync(beginning, options)
      : name === 'br'
        ? brotliDecompressSync(beginning, { finishFlush: constants.BROTLI_OPERATION_FLUSH })
        : name === 'deflate'
          ? inflateSync(beginning, options)
          : undefined;
    if (text === undefined) return `(compressed: ${name})`;
    return text.subarray(0, MAX_KEPT_BYTES).toString('utf8');
  } catch {
    return `(compressed: ${name})`;
  }
}
