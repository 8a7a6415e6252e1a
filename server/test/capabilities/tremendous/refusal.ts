import type { ListRewards401Response } from 'tremendous';

/** A call that is refused without an effect. Its payload mirrors the request and names what is wrong. */
export class Refusal extends Error {
  readonly status: number;
  readonly payload: Record<string, unknown>;

  constructor(status: number, message: string, payload: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.payload = payload;
  }
}

export const errorBody = (message: string, payload: Record<string, unknown> = {}): ListRewards401Response => ({
  errors: { message, payload },
});

/** @throws Refusal with status 404 */
export function found<Found>(one: Found | undefined): Found {
  if (one === undefined) throw new Refusal(404, 'There is no such object.');
  return one;
}
