import type { Config } from '../configuration/config.ts';
import type { Channels } from './channel.ts';
import { hasOutboxPage } from './has-outbox-page.ts';
import { outboxChannel } from './outbox-channel.ts';

type ChannelConfig = Pick<Config, 'smtp' | 'twilio' | 'isProduction' | 'databaseUrls'>;

/**
 * Opens the configured channels. Without settings, messages stay in the outbox if someone can read its page; otherwise they
 * wait for settings.
 * Loads a library only if it is configured.
 *
 * @param publicUrl the base of the webhook URLs
 */
export async function openChannels(
  config: ChannelConfig,
  log: { warn(message: string): void },
  publicUrl: () => string,
): Promise<Channels> {
  const { smtp, twilio } = config;
  const waits = !hasOutboxPage(config, publicUrl());
  const withoutSettings = waits ? undefined : outboxChannel;
  if (waits && smtp === undefined) log.warn('SMTP_URL is not set: live emails stay queued until it is.');
  if (waits && twilio === undefined)
    log.warn('TWILIO_ACCOUNT_SID is not set: live text messages stay queued until it is.');
  return {
    ...(smtp === undefined ? { email: withoutSettings, notice: withoutSettings } : await openMail(smtp)),
    phone:
      twilio === undefined
        ? withoutSettings
        : await (await import('./twilio-channel.ts')).openTwilioChannel(twilio, publicUrl),
  };
}

/** Separate connections, so that notices never wait behind the gifts' emails. */
async function openMail(smtp: NonNullable<Config['smtp']>): Promise<Pick<Channels, 'email' | 'notice'>> {
  const { giftLimits, noticeLimits, openSmtpChannel } = await import('./smtp-channel.ts');
  return { email: openSmtpChannel(smtp, giftLimits), notice: openSmtpChannel(smtp, noticeLimits) };
}
