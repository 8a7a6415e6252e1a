import type { Environment } from './environment.ts';

/** On whose behalf a request acts: what its API key says. The ids are UUIDs. */
export interface Principal {
  organizationId: string;
  organizationName: string;
  environment: Environment;
  keyId: string;
}

/** The organization and environment that every statement about them names. */
export type Scope = Pick<Principal, 'organizationId' | 'environment'>;
