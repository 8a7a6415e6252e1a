// The steps of scenarios, which every issuer's fake can play. A scenario is neutral: it names no provider.

/** One act of the network, the provider or the recipient. Amounts are cents. */
export type Step =
  | { do: 'claim'; expect?: 'claimed' | 'pending' | 'refused' }
  /** Lets a call of the service to the provider fail before or after its effect, until `recover`. */
  | { do: 'fail'; call: 'issue' | 'activate'; when: 'before' | 'after' }
  | { do: 'recover' }
  /** Lets the job of an unfinished claim run. */
  | { do: 'job' }
  /** Asks the service. The network declines what the service declines. */
  | { do: 'authorize'; hold: string; amount: number; expect: 'approved' | 'declined' }
  /** Raises a hold by an amount, also by asking. */
  | { do: 'increment'; hold: string; amount: number; expect: 'approved' | 'declined' }
  /** Asks once more what was asked last. */
  | { do: 'repeat'; expect: 'approved' | 'declined' }
  /** Gives back a part of a hold, or all without an amount. */
  | { do: 'reverse'; hold: string; amount?: number }
  /** Captures from a hold; `more` captures may follow. */
  | { do: 'capture'; hold: string; amount: number; more?: boolean }
  /** Captures without asking, such as an offline terminal. */
  | { do: 'force'; amount: number }
  | { do: 'refund'; amount: number }
  | { do: 'dispute'; id: string; amount: number; outcome: 'open' | 'won' | 'lost' }
  | { do: 'close' };

export interface Scenario {
  name: string;
  /** Of the gift. */
  value: number;
  steps: Step[];
  /** The service's books at the end. */
  expect: { spent: number; held: number; overspent: number; card: 'active' | 'closed' | 'refused' | 'none' };
}

/** How webhook events reach the service. `lost`: not at all, until the daily reconciliation. */
export const deliveries = ['prompt', 'doubled', 'reversed', 'lost'] as const;
export type Delivery = (typeof deliveries)[number];

/** The fake of one issuer, for one gift. */
export interface Network {
  /** Whether no event tells that something was spent, so that the service learns it only by asking. */
  isAsked?: true;
  play(step: Exclude<Step, { do: 'claim' | 'job' | 'fail' | 'recover' }>): Promise<'approved' | 'declined' | undefined>;
  fail(call: 'issue' | 'activate', when: 'before' | 'after'): void;
  recover(): void;
  /** Sends the webhook events that were not sent yet, each as often and in the order as the delivery says. */
  deliver(delivery: Delivery): Promise<void>;
}
