import type { FastifyRequest } from 'fastify';
import type { AdapterPayload } from 'oidc-provider';
import { DAY_MS } from '../../platform/base/id-time.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import { hashOf } from './hash.ts';
import { keepRecord } from './queries.ts';
import { readClientId } from './registered-client.ts';
import { openSeal } from './seal.ts';

/** Cookies of the parts of a begun sign-in. */
export const NAMES = ['bestow_connect_begun', 'bestow_connect_begun_rest'];

/** Keeps the sign-in that a signed-in person’s browser brings, and the program that asks, if they are not kept yet. */
export async function keepBegun(
  deps: Pick<PlatformDeps, 'database' | 'cipher' | 'clock'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  connectionId: string,
): Promise<void> {
  const { home } = deps.database;
  const sealed = NAMES.map((name) => new RegExp(`\\b${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]).join('');
  const opened = openSeal(deps.cipher, 'sign-in', sealed, new Date(deps.clock.now()));
  const [id, payload] = (opened?.value ?? []) as [string?, AdapterPayload?];
  if (opened === undefined || id !== connectionId || payload === undefined) return;
  await keepRecord(home, ['Interaction', hashOf(id), JSON.stringify(payload), opened.until]);
  const clientId = String(payload.params?.['client_id']);
  const client = readClientId(deps, clientId);
  const tomorrow = new Date(deps.clock.now() + DAY_MS);
  if (client !== undefined) await keepRecord(home, ['Client', hashOf(clientId), JSON.stringify(client), tomorrow]);
}
