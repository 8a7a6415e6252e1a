import type { Environment } from './environment.ts';

/** The organization (a UUID) and environment that every statement about them names. */
export interface Scope {
  organizationId: string;
  environment: Environment;
}
