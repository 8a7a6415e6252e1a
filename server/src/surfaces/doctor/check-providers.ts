import type { Config, TwilioConfig } from '../../platform/configuration/config.ts';
import { connectionReason } from '../../platform/messaging/send-failure.ts';
import { TWILIO_BASE_URL } from '../../platform/messaging/twilio-channel.ts';
import { type Finding, fault, ok } from './finding.ts';

const ANSWER_WITHIN_MS = 10_000;

/** Checks the connection and credentials of message providers, without sending anything. */
export async function checkProviders({ smtp, twilio }: Pick<Config, 'smtp' | 'twilio'>): Promise<Finding[]> {
  return [
    ...(smtp === undefined ? [] : [await checkSmtp(smtp)]),
    ...(twilio === undefined ? [] : [await checkTwilio(twilio)]),
  ];
}

async function checkSmtp(smtp: NonNullable<Config['smtp']>): Promise<Finding> {
  const { verifySmtp } = await import('../../platform/messaging/verify-smtp.ts');
  const { host, protocol, port } = new URL(smtp.url);
  try {
    await verifySmtp(smtp, ANSWER_WITHIN_MS);
    return ok('SMTP', `signed in to ${host}`);
  } catch (error) {
    return fault(
      'SMTP',
      `${host}: ${messageOf(error)}`,
      `${schemeAdvice(protocol, port)}Correct SMTP_URL or the network, or name your own authority in NODE_EXTRA_CA_CERTS; emails stay queued until then.`,
    );
  }
}

/** Each port has one of the two ways to begin TLS. */
function schemeAdvice(protocol: string, port: string): string {
  if (protocol === 'smtp:' && port === '465') return 'Port 465 needs smtps:// instead of smtp://. ';
  if (protocol === 'smtps:' && ['25', '587'].includes(port))
    return `Port ${port} needs smtp:// instead of smtps://; TLS begins after the greeting. `;
  return '';
}

async function checkTwilio({ accountSid, authToken, baseUrl = TWILIO_BASE_URL }: TwilioConfig): Promise<Finding> {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  try {
    const url = `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${accountSid}.json`;
    const { ok: isWelcome, status } = await fetch(url, {
      headers: { authorization },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (isWelcome) return ok('Twilio', 'signed in');
    return fault(
      'Twilio',
      `HTTP ${status}`,
      'Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; text messages stay queued until then.',
    );
  } catch (error) {
    return fault(
      'Twilio',
      messageOf(error),
      'Allow connections to api.twilio.com; text messages stay queued until then.',
    );
  }
}

export function messageOf(error: unknown): string {
  const reason = connectionReason(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
