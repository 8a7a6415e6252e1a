import { systemClock } from '../../server/src/platform/base/clock.ts';
import { fillGifts } from '../fill-gifts.ts';
import { freePort } from '../free-port.ts';
import type { Installation, SeededOrganization, Server } from '../installation.ts';
import { uuidOf } from '../site.ts';
import { fillHistory } from './fill-history.ts';

/** A server, and an organization of its database with live gifts. */
export interface WorkedSide {
  installation: Installation;
  server: Server;
  operatorPort: number;
  organization: SeededOrganization;
}

const HOUR_MS = 3_600_000;
/** Two months, each with a statement. */
const SPAN_MS = 60 * 24 * HOUR_MS;

/** Seeds the organization with its gifts and all that grows with them, and then starts the server. */
export async function openWorkedSide(installation: Installation, gifts: number): Promise<WorkedSide> {
  await installation.bestow(['catalog', 'add-built-in', '--json']);
  const [organization] = await installation.seed(1, 'live');
  if (organization === undefined) throw new Error('Nothing was seeded.');
  const toMs = systemClock.now() - HOUR_MS;
  const owner = { organizationId: uuidOf(organization), environment: 'live' } as const;
  const span = { fromMs: toMs - SPAN_MS, toMs, hasMetadata: true };
  await fillGifts(installation.sql, { ...owner, ...span, orders: Math.floor(gifts / 2) });
  await fillHistory(installation.sql, owner);
  // Autovacuum would do this some minutes later, and a server would seal the entries.
  await installation.sql.query('vacuum analyze');
  await installation.bestow(['ledger', 'checkpoint']);
  const operatorPort = await freePort();
  const server = await installation.startServer({
    OPERATOR_PAGE_PORT: `${operatorPort}`,
    // In production the page needs https, which a proxy before the port would end.
    OPERATOR_PAGE_URL: 'https://operator.example',
  });
  return { installation, server, operatorPort, organization };
}
