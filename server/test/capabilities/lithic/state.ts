import type { Lithic } from 'lithic';

/** A program at Lithic. */
export class State {
  /** What the program can spend. */
  availableCents = 5_000_000;
  readonly clock: { now(): number };
  readonly cards = new Map<string, Lithic.NonPCICard>();
  readonly holders: (Lithic.AccountHolder & { external_id: string })[] = [];
  readonly transactions = new Map<string, Lithic.Transaction>();
  readonly events: Lithic.Event[] = [];
  readonly cardsByKey = new Map<string, string>();

  constructor(clock: { now(): number }) {
    this.clock = clock;
  }

  /** What was authorized or captured. */
  usedOf(card: Lithic.NonPCICard): number {
    let used = 0;
    for (const { card_token, status, events = [] } of this.transactions.values()) {
      if (card_token !== card.token) continue;
      const sum = (...types: string[]) =>
        events.filter(({ type }) => types.includes(type)).reduce((total, { amount }) => total + amount, 0);
      const cleared = sum('CLEARING');
      const held = sum('AUTHORIZATION') - sum('AUTHORIZATION_REVERSAL');
      used += status === 'PENDING' ? Math.max(held, cleared) : cleared;
    }
    return used;
  }
}
