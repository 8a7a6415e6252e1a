import type { LocalIssuer } from '../../../core/issuer/port.ts';
import { simulatedDetails } from './simulated-details.ts';

/** Makes cards that are not real and derive from their ids, so nothing is stored. */
export const simulatedIssuer: LocalIssuer = {
  isLocal: true,
  capabilities: {
    kind: 'card',
    isReal: false,
  },
  requirements: () => undefined,
  async present(card, isRevealed) {
    const { number, securityCode, ...face } = simulatedDetails(card);
    return { kind: 'card', face, details: isRevealed ? { ...face, number, securityCode } : undefined };
  },
  test: async () => undefined,
};
