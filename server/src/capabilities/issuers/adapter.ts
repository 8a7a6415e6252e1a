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
export interface IssuerScope {
  organizationId: string;
  issuerId: string;
}

export interface Adapter {
  /** @throws an error for people if the settings are not valid */
  create(settings: Readonly<Record<string, string>>, scope: IssuerScope, deps: AdapterDeps): Issuer;
}

interface Setting {
  /** For people, without a full stop. */
  meaning: string;
  example: string;
  /** It is given by standard input, because others can see arguments. */
  isSecret?: true;
  isOptional?: true;
}

/** By name. */
export type Settings = Readonly<Record<string, Setting>>;

interface KindOfIssuer {
  /** For members. */
  name: string;
  /** Of its cards, for the operator. */
  description: string;
  settings: Settings;
  /** Whether its balance pays when a gift is claimed, and not when a card pays. */
  isPaidAtClaim?: true;
  /** Loads its module, when an issuer of the kind is used. */
  load(): Promise<Adapter>;
}

export type Adapters = Record<string, KindOfIssuer>;
