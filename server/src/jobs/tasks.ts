import type { Environment } from '../base/environment.ts';
import type { Deps } from '../deps.ts';
import { completeOrder } from '../orders/complete-order.ts';

export const completeOrderQueue = 'complete-order';

export interface CompleteOrderJob {
  organizationId: string;
  environment: Environment;
  orderId: string;
}

/** What the worker can do: a task a queue, each safe to repeat. */
export interface Tasks {
  completeOrder(job: CompleteOrderJob): Promise<void>;
}

export function createTasks(deps: Pick<Deps, 'database'>): Tasks {
  return {
    completeOrder: ({ organizationId, environment, orderId }) =>
      completeOrder(deps, { organizationId, environment }, orderId),
  };
}
