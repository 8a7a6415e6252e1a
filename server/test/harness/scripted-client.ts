import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Bestow, type BestowOptions, type Order, type OrderInput } from '../../../sdk/src/index.ts';
import { catalogue, type ErrorCode } from '../../src/platform/base/errors.ts';
import { json, type Step, startScriptedServer } from './scripted-server.ts';

export const body: OrderInput = { gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] };
export const order: Order = { order_id: 'ord_1', status: 'processed', gifts: [] };
export const placed = json(201, order);

/** Answers with one of the service's errors. */
export function errorStep(code: ErrorCode, headers: Record<string, string> = {}): Step {
  const { status, type, message } = catalogue[code];
  return json(status, { error: { type, code, message, param: 'p', doc_url: 'd', request_id: 'req_1' } }, headers);
}

/** A client of the scripted server; records its pauses instead of waiting. */
export async function clientOf(t: TestContext, script: Step[], options: Partial<BestowOptions> = {}) {
  const { baseUrl, seen } = await startScriptedServer(t, ...script);
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
  };
  return { bestow: new Bestow('bestow-sandbox-key', { baseUrl, pause, ...options }), seen, pauses, baseUrl };
}

export async function thrownBy(act: Promise<unknown>): Promise<unknown> {
  try {
    await act;
  } catch (error) {
    return error;
  }
  return assert.fail('It did not throw.');
}
