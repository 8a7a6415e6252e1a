import { presentEvent } from '../feed/present-event.ts';
import type { EventRow } from './push-queries.ts';
import type { PushBody } from './push-schema.ts';

/** Renders what is pushed: ids and what changed, far below 20 kB. `previous` is the sequence pushed to the endpoint before. */
export function renderBody(event: EventRow, previous: number | null): string {
  const { type, created_at, data, event_id, sequence } = presentEvent(event);
  const body: PushBody = { type, timestamp: created_at, data, event_id, sequence, previous_sequence: previous };
  return JSON.stringify(body);
}
