import type { Adapters } from './adapter.ts';

/** Every kind of issuer that can be added. */
export const adapters: Adapters = {
  codes: () => import('./own-codes/adapter.ts').then(({ ownCodes }) => ownCodes),
  lithic: () => import('./lithic/adapter.ts').then(({ lithic }) => lithic),
  stripe: () => import('./stripe/adapter.ts').then(({ stripe }) => stripe),
};
