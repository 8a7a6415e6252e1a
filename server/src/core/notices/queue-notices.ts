import type { ClientBase } from 'pg';
import type { Deps } from '../deps.ts';
import type { Notice } from './notice.ts';
import { insertNotices } from './queries.ts';

interface NewNotices {
  /** UUID. */
  organizationId: string;
  /** Email addresses; each gets its own mail. */
  recipients: readonly string[];
  notice: Exclude<Notice, { kind: 'sign_in_code' | 'finder_code' }>;
}

/** Queues a notice for each recipient in the caller's transaction. A worker sends the mails after the commit. */
export async function queueNotices(
  client: ClientBase,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { organizationId, recipients, notice }: NewNotices,
): Promise<void> {
  if (recipients.length === 0) return;
  const rows = recipients.map((recipient) => ({ notice_id: deps.ids.next(), recipient }));
  await insertNotices(client, [
    organizationId,
    notice.kind,
    JSON.stringify(notice.details),
    JSON.stringify(rows),
    new Date(deps.clock.now()),
    deps.tracer?.current(),
  ]);
}
