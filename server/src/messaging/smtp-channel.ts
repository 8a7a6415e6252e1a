import { createTransport } from 'nodemailer';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../config.ts';
import type { Channel, OutgoingMessage, SendResult } from './channel.ts';
import { createLanes } from './lanes.ts';
import { shortenReference } from './reference.ts';
import { isNeverConnected, plainReason, SendFailure } from './send-failure.ts';

/** Of these, one mail domain may have so many: a domain that is slow leaves the others the rest. */
interface ConnectionLimits {
  maxConnections: number;
  maxConnectionsPerDomain: number;
}
export const giftLimits: ConnectionLimits = { maxConnections: 12, maxConnectionsPerDomain: 8 };
export const noticeLimits: ConnectionLimits = { maxConnections: 4, maxConnectionsPerDomain: 3 };

const STALLED_AFTER_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
/** Without a word from the server. */
const SOCKET_TIMEOUT_MS = 30_000;
/** All in all: a server that answers a letter a second is no use either. */
const SEND_TIMEOUT_MS = 90_000;

/** Answers that speak of this service's account with the server, and not of the message: the operator can put it right. */
const ACCOUNT_REFUSALS = [530, 534, 535, 538];
/** Whatever is refused at this command is the sender, `MAIL_FROM`, and never the recipient. */
const SENDER_COMMAND = 'MAIL FROM';
const ENVELOPE_AND_CONTENT = ['EENVELOPE', 'EMESSAGE'];

/**
 * Emails over SMTP, on pooled connections. The `Message-ID` is the message's reference, so that a second copy of it (SMTP
 * knows no other way to say so) is seen to be one.
 */
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
    const { envelope, messageId } = mail.data as ReturnType<typeof mailOptions>;
    const buildHeaders = mail.message.buildHeaders.bind(mail.message);
    mail.message.buildHeaders = () => `${ownHeaders(envelope.to, messageId)}\r\n${buildHeaders()}`;
    mail.message.getEnvelope = () => ({ from, to: [envelope.to] });
    done();
  });
  const inLane = createLanes({ width: maxConnectionsPerDomain, stalledAfterMs: STALLED_AFTER_MS });

  return {
    name: 'smtp',
    async send(message) {
      const domain = message.to.slice(message.to.lastIndexOf('@') + 1).toLowerCase();
      return await inLane(domain, async () => {
        // Not AbortSignal.timeout: its timer keeps each message in memory for all of its time.
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), SEND_TIMEOUT_MS);
        try {
          const { response } = await transport.sendMail({ ...mailOptions(message, from), signal: limit.signal });
          return { outcome: 'accepted', providerId: providerIdOf(response) };
        } catch (error) {
          return refusalOf(error, message.to);
        } finally {
          clearTimeout(timer);
        }
      });
    },
    close: async () => transport.close(),
  };
}

/** Passwords and links that are worth money must not cross a network in the open. `?requireTLS=false` in the URL wins. */
export function tlsOptions(url: string): { requireTLS?: boolean } {
  const { protocol, hostname, username, searchParams } = new URL(url);
  if (protocol === 'smtps:' || username === '' || isLoopback(hostname)) return {};
  return { requireTLS: searchParams.get('requireTLS') !== 'false' };
}

function mailOptions({ reference, to, fromName, subject, html, text }: OutgoingMessage, from: string) {
  return {
    messageId: `<${reference}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: fromName, address: from },
    envelope: { from, to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    // Said beforehand: counting letters to choose an encoding took a tenth of all the time.
    textEncoding: 'quoted-printable' as const,
  };
}

/**
 * Headers that the library would rewrite: it makes a domain's letters small and encodes what providers read as it stands.
 * Neither an address nor a reference can hold a line break or a letter outside ASCII.
 */
function ownHeaders(to: string, messageId: string): string {
  const reference = messageId.slice(1, messageId.indexOf('@'));
  return [
    `To: ${to}`,
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    // Each provider's own way of handing the reference back with its news; `hooks/` reads it.
    `X-SMTPAPI: ${JSON.stringify({ unique_args: { delivery: reference } })}`,
    // At most 80 characters: https://postmarkapp.com/support/article/1125-custom-metadata-faq
    `X-PM-Metadata-delivery: ${shortenReference(reference)}`,
    `X-SES-MESSAGE-TAGS: delivery=${reference}`,
  ].join('\r\n');
}

interface SmtpError extends Error {
  code?: string;
  /** The operating system's, where `code` is the library's. */
  originalCode?: string;
  /** The command that was refused. */
  command?: string;
  response?: string;
  responseCode?: number;
  /** The server would say the same of the same message again. */
  permanent?: boolean;
}

/** @throws SendFailure where the message may be accepted another time */
function refusalOf(error: unknown, to: string): SendResult {
  const { code = '', originalCode, command, message, permanent, response, responseCode } = error as SmtpError;
  const isAboutAccount = ACCOUNT_REFUSALS.includes(responseCode ?? 0) || command === SENDER_COMMAND;
  const isAboutMessage = ENVELOPE_AND_CONTENT.includes(code) && !isAboutAccount;
  const reason = plainReason(response ?? message, to);
  if (permanent === true && isAboutMessage) return { outcome: 'refused', reason };
  const isUnsent = responseCode !== undefined || isNeverConnected(originalCode ?? code);
  throw new SendFailure(reason, isUnsent ? 'unsent' : 'unknown');
}

/** What the server calls the message, where its last answer says so: `250 2.0.0 Ok: queued as 4F2A1`, `250 Ok 0100018b…`. */
function providerIdOf(response: string | undefined): string | undefined {
  return /^250[ -](?:\d\.\d\.\d )?(?:ok:? )?(?:(?:message )?queued as |id=|<)?(?=[\w.@-]*\d)([\w.@-]{6,120})/i.exec(
    response ?? '',
  )?.[1];
}
