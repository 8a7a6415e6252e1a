import { createHash } from 'node:crypto';
import type { ClaimQuestion, Screening } from '../../../core/issuer/screening.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { sign } from '../../../platform/base/webhook-signature.ts';
import type { ScreeningConfig } from '../../../platform/configuration/screening-settings.ts';

const ANSWERED_WITHIN_MS = 2_000;
const MAX_READ_BYTES = 4_096;

/** Asks over HTTP, signed as Standard Webhooks. The address is the operator's, so that private networks are allowed. */
export const createScreening = (config: ScreeningConfig, clock: Clock): Screening => ({
  async ask(question) {
    const stop = new AbortController();
    const timer = clock.setTimeout(() => stop.abort(new Error('No answer within two seconds.')), ANSWERED_WITHIN_MS);
    try {
      return await post(config, question, clock.now(), stop.signal);
    } finally {
      clock.clearTimeout(timer);
    }
  },
});

async function post(
  { url, secret }: ScreeningConfig,
  question: ClaimQuestion,
  nowMs: number,
  signal: AbortSignal,
): Promise<'allow' | 'hold'> {
  const body = JSON.stringify(question);
  // The same for the same question, so that a repetition can get the same answer.
  const id = `${question.gift_id}_${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
  const seconds = Math.floor(nowMs / 1_000);
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bestow-Screening/1',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': sign([secret], id, seconds, body),
    },
    body,
  });
  const text = await readBody(response);
  if (response.status !== 200) throw new Error(`The screening service answered ${response.status}.`);
  return decisionOf(text);
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_READ_BYTES) throw new Error('The screening service’s answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function decisionOf(text: string): 'allow' | 'hold' {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = undefined;
  }
  const decision = typeof answer === 'object' && answer !== null && 'decision' in answer ? answer.decision : undefined;
  if (decision === 'allow' || decision === 'hold') return decision;
  throw new Error('The screening service’s answer is not {"decision":"allow"} or {"decision":"hold"}.');
}
