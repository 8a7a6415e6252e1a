import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { encodeLogo } from './encode-logo.ts';
import { selectLogo, upsertLogo } from './queries.ts';
import { takeTurn } from './take-turn.ts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Sets or removes an organization's logo.
 *
 * @param organizationId UUID
 * @param file base64; null removes the logo
 * @throws OperatorError if it is not an image that can be shown; BestowError if too many of the organization wait
 */
export async function setLogo(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { organizationId, file, actor }: { organizationId: string; file: string | null; actor: Actor },
): Promise<void> {
  if (file !== null && !BASE64.test(file)) throw new OperatorError('The logo must be sent as base64.');
  const logo = file === null ? null : await takeTurn(organizationId, () => encodeLogo(Buffer.from(file, 'base64')));
  await inOrganization(deps.database, organizationId, async (client) => {
    const values =
      logo === null
        ? ([null, null, null, null] as const)
        : ([logo.content, logo.hash, logo.width, logo.height] as const);
    const [changed] = await upsertLogo(client, [organizationId, ...values]);
    if (changed === undefined) return;
    const event =
      logo === null
        ? ({ action: 'brand.logo_removed', details: {} } as const)
        : ({ action: 'brand.logo_set', details: { width: logo.width, height: logo.height } } as const);
    await recordEvent(client, deps, actor, { organizationId, ...event });
  });
}

/** @returns a PNG, or undefined without a logo */
export async function findLogo(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
): Promise<Buffer | undefined> {
  const [found] = await selectLogo(database.pool, [organizationId]);
  return found?.logo;
}
