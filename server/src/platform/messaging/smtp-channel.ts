import { createTransport } from 'nodemailer';
import { isLoopback } from '../base/loopback.ts';
import { onceRead, replaceMessageParts } from '../base/private-internals.ts';
import type { Config } from '../configuration/config.ts';
import type { Channel, OutgoingMessage, SendResult } from './channel.ts';
import { createConnectionSlots } from './connection-slots.ts';
import { shortenReference } from './reference.ts';
import { connectionReason, isNeverConnected, plainReason, SendFailure } from './send-failure.ts';

/** The limit per mail domain keeps a slow domain from taking all connections. */
interface ConnectionLimits {
  maxConnections: number;
  maxConnectionsPerDomain: number;
}
export const giftLimits: ConnectionLimits = { maxConnections: 12, maxConnectionsPerDomain: 8 };
export const noticeLimits: ConnectionLimits = { maxConnections: 4, maxConnectionsPerDomain: 3 };

const STALLED_AFTER_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
/** Between two chunks from the server. */
const SOCKET_TIMEOUT_MS = 30_000;
/** In total, for servers that answer one byte at a time. */
const SEND_TIMEOUT_MS = 90_000;

/** RFC 3463's statuses about the recipient. All others, and a code alone, are about the account or the server. */
const ABOUT_RECIPIENT = /^5\d\d[ -]5\.(?:1\.(?:[0-6]|10)|2\.[1-3])(?![\d.])/;
/** A refusal for now that is about the recipient or the message, and not about the server. */
const ABOUT_ONE = /^4\d\d[ -]4\.[126]\./;
/** A refusal of this command is about the sender (`MAIL_FROM`), never the recipient. */
const SENDER_COMMAND = 'MAIL FROM';

/** Sends emails over pooled SMTP connections. The `Message-ID` is the reference, which identifies duplicates. */
export function openSmtpChannel(
  { url, from }: NonNullable<Config['smtp']>,
  { maxConnections, maxConnectionsPerDomain }: ConnectionLimits,
): Channel {
  const transport = createTransport({
    pool: true,
    url,
    maxConnections,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    ...tlsOptions(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const { envelope, messageId, progress } = mail.data as ReturnType<typeof mailOptions>;
    replaceMessageParts(mail.message, ownHeaders(envelope.to, messageId), { from, to: [envelope.to] });
    onceRead(mail.message, () => {
      progress.isRead = true;
    });
    done();
  });
  const inSlot = createConnectionSlots({ slots: maxConnectionsPerDomain, stalledAfterMs: STALLED_AFTER_MS });

  return {
    name: 'smtp',
    async send(message) {
      const domain = message.to.slice(message.to.lastIndexOf('@') + 1).toLowerCase();
      return await inSlot(domain, async () => {
        // AbortSignal.timeout would keep each sent message in memory until its timer ends.
        const limit = new AbortController();
        const options = mailOptions(message, from);
        const timer = setTimeout(() => limit.abort(), SEND_TIMEOUT_MS);
        try {
          const { response } = await transport.sendMail({ ...options, signal: limit.signal });
          return { outcome: 'accepted', providerId: providerIdOf(response) };
        } catch (error) {
          return refusalOf(error, message.to, options.progress.isRead);
        } finally {
          clearTimeout(timer);
        }
      });
    },
    close: async () => transport.close(),
  };
}

/** Requires TLS, because every mail has a link or code, except on loopback or with `?requireTLS=false` in the URL. */
export function tlsOptions(url: string): { requireTLS?: boolean } {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === 'smtps:' || isLoopback(hostname)) return {};
  return { requireTLS: searchParams.get('requireTLS') !== 'false' };
}

/** RFC 8058. */
const oneClick = (link: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${link}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Not Date and Message-ID, which Amazon SES replaces. RFC 8058 needs the headers to unsubscribe. */
const SIGNED_HEADERS =
  'From:To:Subject:Reply-To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted';

const dkimOptions = ({ domain, selector, privateKey }: NonNullable<OutgoingMessage['signature']>) => ({
  domainName: domain,
  keySelector: selector,
  privateKey,
  headerFieldNames: SIGNED_HEADERS,
});

function mailOptions(message: OutgoingMessage, from: string) {
  const { reference, to, fromName, subject, html, text, replyTo, stopLink, signature } = message;
  return {
    messageId: `<${reference}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: fromName, address: signature?.address ?? from },
    envelope: { from, to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    ...(signature === undefined ? {} : { dkim: dkimOptions(signature) }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(stopLink === undefined ? {} : { headers: oneClick(stopLink) }),
    // Not the library's: whether the server has the whole message.
    progress: { isRead: false },
    // Fixed, because choosing an encoding took 10 % of the time.
    textEncoding: 'quoted-printable' as const,
  };
}

/** https://www.twilio.com/docs/sendgrid/for-developers/sending-email/smtp-filters */
const NO_TRACKING = Object.fromEntries(
  ['clicktrack', 'opentrack', 'subscriptiontrack', 'ganalytics', 'footer'].map((filter) => [
    filter,
    { settings: { enable: 0 } },
  ]),
);

/**
 * Writes headers that the library would rewrite: it lowercases domains and encodes metadata that providers need verbatim.
 * Addresses and references contain neither line breaks nor non-ASCII characters.
 */
function ownHeaders(to: string, messageId: string): string {
  const reference = messageId.slice(1, messageId.indexOf('@'));
  return [
    `To: ${to}`,
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    // Metadata that each provider returns in its webhook events, read in `delivery/hooks/`; and no counting of opens and
    // clicks, for which a provider leads links, which are worth money, through a server of its own.
    `X-SMTPAPI: ${JSON.stringify({ unique_args: { delivery: reference }, filters: NO_TRACKING })}`,
    'X-PM-TrackLinks: None',
    'X-PM-TrackOpens: false',
    // At most 80 characters: https://postmarkapp.com/support/article/1125-custom-metadata-faq
    `X-PM-Metadata-delivery: ${shortenReference(reference)}`,
    `X-SES-MESSAGE-TAGS: delivery=${reference}`,
  ].join('\r\n');
}

interface SmtpError extends Error {
  code?: string;
  /** The operating system's code, if `code` is the library's. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** @throws SendFailure if a retry may succeed, also after a permanent refusal: the operator can correct the account */
function refusalOf(error: unknown, to: string, isRead: boolean): SendResult {
  const { code = '', originalCode, command, message, permanent, response, responseCode } = error as SmtpError;
  const reason = plainReason(response ?? connectionReason(error) ?? message, to);
  if (command !== SENDER_COMMAND && ABOUT_RECIPIENT.test(response ?? '')) return { outcome: 'refused', reason };
  if (permanent === true) throw new SendFailure(reason, 'account_refused');
  const isUnsent = responseCode !== undefined || isNeverConnected(originalCode ?? code);
  if (isUnsent) throw new SendFailure(reason, 'unsent', !ABOUT_ONE.test(response ?? ''));
  throw new SendFailure(reason, isRead ? 'handed_over' : 'unknown');
}

/** Reads the server's message id from responses such as `250 2.0.0 Ok: queued as 4F2A1` or `250 Ok 0100018b…`. */
function providerIdOf(response: string | undefined): string | undefined {
  return /^250[ -](?:\d\.\d\.\d )?(?:ok:? )?(?:(?:message )?queued as |id=|<)?(?=[\w.@-]*\d)([\w.@-]{6,120})/i.exec(
    response ?? '',
  )?.[1];
}
