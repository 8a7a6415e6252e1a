import assert from 'node:assert/strict';
import type { Notice } from '../../src/core/notices/notice.ts';
import { queueCode } from '../../src/core/notices/queue-code.ts';
import { queueNotices } from '../../src/core/notices/queue-notices.ts';
import { inOrganization } from '../../src/platform/database/in-organization.ts';
import { encodeNoticeReference } from '../../src/platform/messaging/reference.ts';
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

/** All notices of an organization and all sign-in codes, oldest first. */
export async function noticesOf(service: TestService, { organizationUuid }: TestOrganization): Promise<NoticeState[]> {
  const columns = 'recipient, state, tries, reason, provider';
  const notices = service.sql<NoticeState>(
    `select notice_id, kind, ${columns} from notices where organization_id = $1`,
    [organizationUuid],
  );
  const codes = await service.sql<NoticeState>(`select code_id as notice_id, kind, ${columns} from portal.codes`);
  return [...(await notices), ...codes].sort((a, b) => (a.notice_id < b.notice_id ? -1 : 1));
}

/** Queues a notice as an act does. */
export async function queue(
  { service: { deps } }: TestService,
  { organizationUuid }: TestOrganization,
  notice: Notice,
  ...recipients: string[]
): Promise<void> {
  if (notice.kind === 'sign_in_code' || notice.kind === 'finder_code') {
    const { sealed_code, expires_minutes: expiresMinutes } = notice.details;
    const code = deps.cipher.decrypt(sealed_code) ?? '';
    const more = notice.kind === 'finder_code' ? { kind: notice.kind, channel: notice.details.channel } : {};
    for (const recipient of recipients) await queueCode(deps, { recipient, code, expiresMinutes, ...more });
  } else
    await inOrganization(deps.database, organizationUuid, (client) =>
      queueNotices(client, deps, { organizationId: organizationUuid, recipients, notice }),
    );
}

export const codeNotice = ({ service: { deps } }: TestService, code: string): Notice => ({
  kind: 'sign_in_code',
  details: { sealed_code: deps.cipher.encrypt(code), expires_minutes: 10 },
});

/** The left half of a notice's `Message-ID`, and its address in the outbox. */
export const referenceOf = ({ organizationUuid }: TestOrganization, { kind, notice_id }: NoticeState) =>
  encodeNoticeReference({
    organizationId: kind === 'sign_in_code' || kind === 'finder_code' ? undefined : organizationUuid,
    noticeId: notice_id,
  });

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
