/** A request that was decided. */
export interface EndedRequest {
  amount_cents: number;
  /** The name of the grant that asked; absent if a member did. */
  agent?: string;
}

export const requestText = ({ amount_cents, agent }: EndedRequest, money: (cents: number) => string): string =>
  agent === undefined
    ? `a request for a gift of ${money(amount_cents)}`
    : `the order of the agent “${agent}” of ${money(amount_cents)}`;
