import { startTwilioServer } from '../../../server/test/harness/twilio-server.ts';
import { monotonicNowMs, type Recorder } from '../../record/recorder.ts';
import type { DeliveryFault, EmailStrike, PhoneStrike } from './delivery-faults.ts';
import { type Certificates, createCertificates } from './smtp-conversation.ts';
import { startSmtpProvider } from './smtp-provider.ts';

/** A copy of a message that a provider accepted. */
export interface Copy {
  recipient: string;
  /** The identity: an email's `Message-ID`, or a text message's callback address. */
  reference: string;
  atMs: number;
  isEncrypted: boolean;
}

/** The struck provider of one channel: a mail server, or a server in Twilio's place. */
export interface StruckProvider {
  /** Settings of a service that sends by this provider. */
  variables: Record<string, string>;
  certificates: Certificates | undefined;
  copies: Copy[];
  /** Injections that met a message or a connection. */
  struck(): number;
  /** How often a message to this address was accepted without an answer. */
  kept(recipient: string): number;
  /** Strikes the next message to this address. */
  strikeMessage(recipient: string, strike: EmailStrike | PhoneStrike): void;
  /** Strikes the next new connection, one at a time. */
  strikeConnection(strike: EmailStrike): void;
  /** Ends silent conversations. */
  endSilence(): void;
  close(): Promise<void>;
}

/** At these stages the recipient is not known. */
const CONNECTION_STAGES = ['greeting', 'hello', 'starttls', 'sender'];
export const isOfConnection = (strike: EmailStrike | PhoneStrike): strike is EmailStrike =>
  'stage' in strike && CONNECTION_STAGES.includes(strike.stage);

/** @param recorder gets each copy, and a crash for each without an answer: it may be sent again */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: two providers, which share the copies
export async function openProvider(fault: DeliveryFault, recorder: Recorder): Promise<StruckProvider> {
  const copies: Copy[] = [];
  const keptOf = new Map<string, number>();
  let struck = 0;
  recorder.expectMessages(fault.channel, 'some');

  function take({ recipient, reference, isEncrypted }: Omit<Copy, 'atMs'>, isAnswered: boolean): void {
    const atMs = monotonicNowMs();
    copies.push({ recipient, reference, isEncrypted, atMs });
    recorder.message({ channel: fault.channel, recipient, reference, atMs });
    if (isAnswered) return;
    keptOf.set(recipient, (keptOf.get(recipient) ?? 0) + 1);
    recorder.crash();
  }

  const common = {
    copies,
    struck: () => struck,
    kept: (recipient: string) => keptOf.get(recipient) ?? 0,
  };
  return fault.channel === 'email' ? openMail(fault.usesTls === true) : openText();

  async function openMail(usesTls: boolean): Promise<StruckProvider> {
    const certificates = usesTls ? createCertificates() : undefined;
    const provider = await startSmtpProvider((email) => take(email, email.isAnswered), certificates);
    const ofMessages = new Map<string, EmailStrike>();
    let ofConnection: EmailStrike | undefined;
    provider.strike((stage, recipient) => {
      const strike = recipient === undefined ? ofConnection : ofMessages.get(recipient);
      if (strike?.stage !== stage) return undefined;
      if (recipient === undefined) ofConnection = undefined;
      else ofMessages.delete(recipient);
      struck += 1;
      return strike.act;
    });
    return {
      ...common,
      variables: {
        SMTP_URL: usesTls ? `smtp://localhost:${provider.port}?requireTLS=true` : `smtp://127.0.0.1:${provider.port}`,
        MAIL_FROM: 'gifts@bestow.example',
      },
      certificates,
      strikeMessage: (recipient, strike) => void ofMessages.set(recipient, strike as EmailStrike),
      strikeConnection(strike) {
        ofConnection = strike;
        provider.hangUp();
      },
      endSilence: () => provider.endSilence(),
      close: () => provider.close(),
    };
  }

  async function openText(): Promise<StruckProvider> {
    const twilio = await startTwilioServer();
    const ofMessages = new Map<string, PhoneStrike>();
    twilio.answer((form) => {
      const { To: recipient = '', StatusCallback: callback = 'http://none' } = form;
      const [reference = ''] = (new URL(callback).searchParams.get('delivery') ?? '').split('@');
      const strike = ofMessages.get(recipient);
      const message = { recipient, reference, isEncrypted: false };
      if (strike === undefined) {
        take(message, true);
        return 'accept';
      }
      ofMessages.delete(recipient);
      struck += 1;
      if (strike.keeps === true) take(message, false);
      return strike.answer;
    });
    return {
      ...common,
      variables: {
        TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
        TWILIO_AUTH_TOKEN: 'token',
        TWILIO_FROM: '+12025550199',
        TWILIO_BASE_URL: twilio.url,
      },
      certificates: undefined,
      strikeMessage: (recipient, strike) => void ofMessages.set(recipient, strike as PhoneStrike),
      strikeConnection: () => undefined,
      endSilence: () => twilio.endSilence(),
      close: () => twilio.close(),
    };
  }
}
