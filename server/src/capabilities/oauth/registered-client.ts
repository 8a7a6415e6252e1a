import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import { DAY_MS } from '../../platform/base/id-time.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import { openSeal, seal } from './seal.ts';

type Sealed = [name: string | null, redirects: readonly string[]];

/** Makes the id of a program that registers itself: its registration, sealed for a day. */
export function makeClientId(
  { cipher, clock }: Pick<PlatformDeps, 'cipher' | 'clock'>,
  { client_name: name, redirect_uris: redirects = [] }: Partial<ClientMetadata>,
): string {
  const sealed: Sealed = [name ?? null, redirects];
  return seal(cipher, 'client', sealed, new Date(clock.now() + DAY_MS));
}

/** Reads a registration out of its id; undefined if the id is another one or the day is over. */
export function readClientId(
  { cipher, clock }: Pick<PlatformDeps, 'cipher' | 'clock'>,
  clientId: string,
): AdapterPayload | undefined {
  const opened = openSeal(cipher, 'client', clientId, new Date(clock.now()));
  if (opened === undefined) return undefined;
  const [name, redirect_uris] = opened.value as Sealed;
  return {
    client_id: clientId,
    redirect_uris: [...redirect_uris],
    token_endpoint_auth_method: 'none',
    ...(name === null ? {} : { client_name: name }),
  };
}
