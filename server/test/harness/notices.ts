import assert from 'node:assert/strict';
import { inTransaction } from '../../src/database/connections.ts';
import { encodeNoticeReference } from '../../src/messaging/reference.ts';
import type { Notice } from '../../src/notices/notice.ts';
import { queueNotices } from '../../src/notices/queue-notices.ts';
import { type MailServer, type ReceivedMail, workUntil } from './mail-server.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';

/** A service that sends its notices to this server. */
export const startNoticeService = (mail: MailServer): Promise<TestService> =>
  startTestService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
    PUBLIC_URL: 'https://gifts.example.com',
  });

export interface NoticeState {
  notice_id: string;
  recipient: string;
  kind: string;
  state: string;
  tries: number;
  reason: string | null;
  provider: string | null;
}

/** All notices of an organization, oldest first. */
export function noticesOf(service: TestService, { organizationUuid }: TestOrganization): Promise<NoticeState[]> {
  return service.sql<NoticeState>(
    `select notice_id, recipient, kind, state, tries, reason, provider from notices
     where organization_id = $1 order by notice_id`,
    [organizationUuid],
  );
}

/** Queues a notice as an act does. */
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

export const areSettled = async (service: TestService, organization: TestOrganization) =>
  (await noticesOf(service, organization)).every(({ state }) => state !== 'pending');

/** Queues the notice and waits for its mail, which must be the only one. */
export async function sendNotice(
  service: TestService,
  mail: MailServer,
  organization: TestOrganization,
  notice: Notice,
): Promise<ReceivedMail> {
  await queue(service, organization, notice, 'Ada.L+x@Acme.EXAMPLE');
  await workUntil(service, () => areSettled(service, organization), 'settled');
  const [received] = mail.received.splice(0);
  assert.ok(received);
  return received;
}

/** The facts of a notice about a key. */
export const keyDetails = {
  organization_name: 'Acme',
  key_name: 'Web shop',
  key_hint: 'bestow-live-…a1b2',
  environment: 'live',
  by: 'grace@acme.example',
  from: '203.0.113.9',
  at: '2026-11-21T12:00:00.000Z',
} as const;
