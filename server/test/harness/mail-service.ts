import { after, before, beforeEach } from 'node:test';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type MessageSender, openSender } from './message-sender.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';

/** Opens a service that sends to a mail server, for a test file. Each test finds the mail server empty and accepting. */
export function openMailService(variables: Record<string, string> = {}) {
  const mail = {} as MailServer;
  const service = {} as TestService;
  const organization = {} as TestOrganization;
  const sender = {} as MessageSender;
  before(async () => {
    Object.assign(mail, await startMailServer());
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example', ...variables };
    Object.assign(service, await startTestService(settings));
    Object.assign(organization, await service.organization());
    Object.assign(sender, await openSender(service));
  });
  beforeEach(() => {
    mail.received.length = 0;
    mail.tried.length = 0;
    mail.answer(() => 'accept');
  });
  after(async () => {
    await sender.close();
    await service.close();
    await mail.close();
  });
  return { mail, service, organization, send: () => sender.send() };
}
