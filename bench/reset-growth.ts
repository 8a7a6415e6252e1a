import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './load/connection.ts';
import { textOf } from './load/request.ts';
import { orderRequest } from './site.ts';
import { spreadOf } from './statistics.ts';

export interface ResetResult {
  /** Status of the answer; 0 without an answer. */
  status: number;
  seconds: number;
  giftsDeleted: number;
  /** Latency of another organization's orders during the reset. */
  neighbourMedianMs: number;
  neighbourMostMs: number;
  neighbourFailed: number;
}

const ORDER_EVERY_MS = 20;

/** Resets one organization's sandbox while another places orders. */
export async function measureReset(url: string, key: string, neighbourKey: string): Promise<ResetResult> {
  const [resetting, ordering] = [await openConnection(new URL(url)), await openConnection(new URL(url))];
  const startedAtMs = performance.now();
  let isOver = false;
  const answered = resetting
    .send(textOf({ method: 'POST', path: '/v1/sandbox/reset', key }).before)
    .catch(() => ({ status: 0, body: '{}' }))
    .finally(() => {
      isOver = true;
    });
  const latenciesMs: number[] = [];
  let neighbourFailed = 0;
  for (let n = 0; !isOver; n += 1) {
    const sentAtMs = performance.now();
    const { status } = await ordering.send(textOf(orderRequest(neighbourKey, 2, `neighbour-${n}`)).before);
    latenciesMs.push(performance.now() - sentAtMs);
    if (status !== 201) neighbourFailed += 1;
    await sleep(ORDER_EVERY_MS);
  }
  const { status, body } = await answered;
  const seconds = (performance.now() - startedAtMs) / 1000;
  resetting.close();
  ordering.close();
  const { median, most } = spreadOf(latenciesMs);
  const giftsDeleted = Number(JSON.parse(body).gifts_deleted ?? 0);
  return { status, seconds, giftsDeleted, neighbourMedianMs: median, neighbourMostMs: most, neighbourFailed };
}
