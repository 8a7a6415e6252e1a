import type { Adapters } from './adapter.ts';
import { settings as lithic } from './lithic/settings.ts';
import { settings as codes } from './own-codes/settings.ts';
import { settings as stripe } from './stripe/settings.ts';
import { settings as tremendous } from './tremendous/settings.ts';

/** The kinds whose balance pays when a gift is claimed, and not when a card pays. */
export const kindsPaidAtClaim = (of: Adapters): string[] => Object.keys(of).filter((kind) => of[kind]?.isPaidAtClaim);

/** Every kind of issuer that can be added. */
export const adapters: Adapters = {
  codes: {
    name: 'Own codes',
    description: 'codes of shops, which you upload',
    settings: codes,
    load: () => import('./own-codes/adapter.ts').then(({ ownCodes }) => ownCodes),
  },
  lithic: {
    name: 'Lithic',
    description: 'virtual cards of Lithic',
    settings: lithic,
    load: () => import('./lithic/adapter.ts').then((module) => module.lithic),
  },
  stripe: {
    name: 'Stripe',
    description: 'virtual cards of Stripe Issuing',
    settings: stripe,
    load: () => import('./stripe/adapter.ts').then((module) => module.stripe),
  },
  tremendous: {
    name: 'Tremendous',
    description: 'a choice of gift cards and money, by links of Tremendous',
    settings: tremendous,
    isPaidAtClaim: true,
    load: () => import('./tremendous/adapter.ts').then((module) => module.tremendous),
  },
};
