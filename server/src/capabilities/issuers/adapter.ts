import type { Issuer } from '../../core/issuer/port.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Database } from '../../platform/database/connections.ts';
import type { Cipher } from '../../platform/encryption/cipher.ts';

/** What an adapter may use. */
export interface AdapterDeps {
  database: Pick<Database, 'read' | 'laneOf'>;
  clock: Clock;
  cipher: Cipher;
}

/** The issuer of an organization that the settings are about. */
interface IssuerScope {
  organizationId: string;
  issuerId: string;
}

/** A kind of issuer, in a module that is loaded only when an issuer of that kind is used. */
export interface Adapter {
  /** The names of the settings and what each means; those in `optional` may be left out. */
  settings: Record<string, string>;
  optional?: readonly string[];
  /** @throws an error for people if the settings are not valid */
  create(settings: Readonly<Record<string, string>>, scope: IssuerScope, deps: AdapterDeps): Issuer;
}

export type Adapters = Record<string, () => Promise<Adapter>>;
