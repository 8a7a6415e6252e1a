import { createHmac } from 'node:crypto';
import type { Json } from './account.ts';

export interface Delivered {
  id: string;
  type: string;
  /** 0: no answer. */
  status: number;
  body: string;
  /** `Stripe-Version` of the answer. */
  version: string | null;
}

/** How to send what waits. The default is each event once, in order. */
export interface DeliveryPlan {
  /** How often each event is sent. */
  copies?: number;
  /** Below 1; sorts the deliveries at random. */
  random?: () => number;
  /** The events that never arrive. */
  loses?: (event: Json) => boolean;
  /** Sends all at once instead of one after another. */
  concurrently?: boolean;
  secret?: string;
}

/** Signs events and sends them to the endpoint, when a test says so. Until then they are delayed. */
export class Webhooks {
  /** The endpoint of the service. */
  url = '';
  secret: string;
  /** True sends each event at once. */
  isAutomatic = false;
  readonly waiting: Json[] = [];
  readonly delivered: Delivered[] = [];
  readonly #now: () => number;

  constructor(secret: string, now: () => number) {
    this.secret = secret;
    this.#now = now;
  }

  add(event: Json): void {
    if (this.isAutomatic) void this.send(event);
    else this.waiting.push(event);
  }

  /** `Stripe-Signature` of a text at this time, in seconds. */
  sign(text: string, secret = this.secret, at = this.#now()): string {
    const signature = createHmac('sha256', secret).update(`${at}.${text}`).digest('hex');
    return `t=${at},v1=${signature}`;
  }

  /** Sends one event, and waits for the answer, as a real-time authorization does. */
  async send(event: Json, secret = this.secret): Promise<Delivered> {
    const text = JSON.stringify(event, null, 2);
    const delivered: Delivered = { id: event.id, type: event.type, status: 0, body: '', version: null };
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': this.sign(text, secret) },
        body: text,
      });
      delivered.status = response.status;
      delivered.version = response.headers.get('stripe-version');
      delivered.body = await response.text();
    } catch {
      // Lost; `status` says so.
    }
    this.delivered.push(delivered);
    return delivered;
  }

  /** Sends what waits, according to the plan. */
  async deliver({ copies = 1, random, loses = () => false, concurrently = false, secret }: DeliveryPlan = {}) {
    const events = this.waiting.splice(0).filter((event) => !loses(event));
    const queue = events.flatMap((event) => Array.from({ length: copies }, () => event));
    if (random !== undefined)
      for (let last = queue.length - 1; last > 0; last -= 1) {
        const other = Math.floor(random() * (last + 1));
        [queue[last], queue[other]] = [queue[other], queue[last]];
      }
    if (concurrently) return Promise.all(queue.map((event) => this.send(event, secret)));
    const sent: Delivered[] = [];
    for (const event of queue) sent.push(await this.send(event, secret));
    return sent;
  }
}
