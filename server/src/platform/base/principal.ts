import type { Environment } from './environment.ts';

/** The organization (a UUID) and environment that a statement is about. */
export interface Scope {
  organizationId: string;
  environment: Environment;
}
