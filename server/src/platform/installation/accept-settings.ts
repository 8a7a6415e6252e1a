import type { Database } from '../database/connections.ts';
import { type Acceptable, acceptable } from './kept-settings.ts';
import { deleteKept } from './queries.ts';

/** Lets the next start keep the setting that it finds. */
export async function acceptSettings(
  { shards, home }: Pick<Database, 'shards' | 'home'>,
  setting: Acceptable,
): Promise<void> {
  for (const server of new Set([...shards, home])) await deleteKept(server, [acceptable[setting].names]);
}
