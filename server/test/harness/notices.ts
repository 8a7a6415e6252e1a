import { inTransaction } from '../../src/database/connections.ts';
import { encodeNoticeReference } from '../../src/delivery/reference.ts';
import type { Notice } from '../../src/notices/notice.ts';
import { queueNotices } from '../../src/notices/queue-notices.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export interface NoticeState {
  notice_id: string;
  recipient: string;
  kind: string;
  state: string;
  tries: number;
  reason: string | null;
  provider: string | null;
}

/** All notices of an organization, the oldest first. */
export function noticesOf(service: TestService, { organizationUuid }: TestOrganization): Promise<NoticeState[]> {
  return service.sql<NoticeState>(
    `select notice_id, recipient, kind, state, tries, reason, provider from notices
     where organization_id = $1 order by notice_id`,
    [organizationUuid],
  );
}

/** Queues it as an act does. */
export function queue(
  { service: { deps } }: TestService,
  { organizationUuid }: TestOrganization,
  notice: Notice,
  ...recipients: string[]
): Promise<void> {
  return inTransaction(deps.database.pool, (client) =>
    queueNotices(client, deps, { organizationId: organizationUuid, recipients, notice }),
  );
}

export const codeNotice = ({ service: { deps } }: TestService, code: string): Notice => ({
  kind: 'sign_in_code',
  details: { sealed_code: deps.seal.seal(code), expires_minutes: 10 },
});

/** The left half of a notice's `Message-ID`, and its address in the outbox. */
export const referenceOf = ({ organizationUuid }: TestOrganization, { notice_id }: NoticeState) =>
  encodeNoticeReference({ organizationId: organizationUuid, noticeId: notice_id });
