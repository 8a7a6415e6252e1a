import { X509Certificate } from 'node:crypto';
import SnsPayloadValidator from 'sns-payload-validator';
import { OperatorError } from '../../base/operator-error.ts';
import { BestowError } from '../../errors.ts';
import { fetchBriefly } from './fetch-briefly.ts';
import { lookInto } from './look-into.ts';

type SnsMessage = SnsPayloadValidator.SnsPayload;

/** A topic of Amazon SNS whose calls are accepted. */
interface SnsTopic {
  /**
   * The message, where this topic has signed it; undefined where not.
   *
   * @throws where the topic's certificate cannot be had at the moment
   */
  verify(message: unknown): Promise<SnsMessage | undefined>;
  /**
   * Answers the topic's question whether it may call here.
   *
   * @returns whether it was such a question
   * @throws where Amazon does not take the answer
   */
  confirm(message: SnsMessage): Promise<boolean>;
}

/** Amazon changes its certificate about once a year. */
const MAX_CERTIFICATES = 10;
const MAX_DOWNLOADS_UNDER_WAY = 4;

/**
 * Certificates and confirmations come from the one host of the topic's own region, `sns.<region>.amazonaws.com`.
 *
 * @throws OperatorError where the ARN is none
 */
export function snsTopic(topicArn: string): SnsTopic {
  const origin = originOf(topicArn);
  const validator = new SnsPayloadValidator({ maxCerts: MAX_CERTIFICATES });
  // The library's own download knows no limits and takes an error page for a certificate, then keeps it. So its cache is
  // filled before it is asked.
  const { certCache } = validator as unknown as { certCache: Map<string, string> };
  const downloads = new Map<string, Promise<string | undefined>>();

  async function certificate(url: string): Promise<string | undefined> {
    const known = certCache.get(url);
    if (known !== undefined) return known;
    let download = downloads.get(url);
    if (download === undefined) {
      // Anyone can name addresses; each costs a request to Amazon.
      if (downloads.size >= MAX_DOWNLOADS_UNDER_WAY) throw new BestowError('rate_limit_exceeded');
      download = downloadCertificate(url).finally(() => downloads.delete(url));
      downloads.set(url, download);
    }
    return download;
  }

  return {
    async verify(message) {
      if (!isMessage(message) || message.TopicArn !== topicArn || !isCertificateUrl(origin, message.SigningCertURL))
        return undefined;
      const pem = await certificate(message.SigningCertURL);
      if (pem === undefined) return undefined;
      certCache.set(message.SigningCertURL, pem);
      return validator.validate(message).catch(() => undefined);
    },
    async confirm({ SubscribeURL: url = '' }) {
      const question = URL.canParse(url) ? new URL(url) : undefined;
      if (question?.origin !== origin || question.searchParams.get('Action') !== 'ConfirmSubscription') return false;
      const { status } = await fetchBriefly(question.href);
      if (status !== 200) throw new Error(`Amazon SNS answers the confirmation with ${status}.`);
      return true;
    },
  };
}

function originOf(topicArn: string): string {
  const [, partition, region] =
    /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]+):\d{12}:[\w-]{1,256}$/.exec(topicArn) ?? [];
  if (region === undefined)
    throw new OperatorError(
      'SES_TOPIC_ARN must be a topic of Amazon SNS such as arn:aws:sns:eu-west-1:123456789012:email-news.',
    );
  return `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

const isCertificateUrl = (origin: string, url: string) =>
  url.startsWith(`${origin}/`) && /^\/SimpleNotificationService-[A-Za-z0-9]{32}\.pem$/.test(url.slice(origin.length));

/** @returns undefined where there is no certificate at this address: somebody has made it up */
async function downloadCertificate(url: string): Promise<string | undefined> {
  const { status, text } = await fetchBriefly(url);
  if (status === 403 || status === 404) return undefined;
  if (status !== 200) throw new Error(`Amazon SNS answers with ${status} where its certificate should be.`);
  return new X509Certificate(text).toString();
}

const texts = ['Type', 'MessageId', 'TopicArn', 'Message', 'Timestamp', 'Signature', 'SigningCertURL'];

/** The library takes whatever it is given for texts. */
const isMessage = (message: unknown): message is SnsMessage =>
  texts.every((name) => typeof lookInto(message, name) === 'string') &&
  ['Subject', 'SubscribeURL'].every((name) => ['string', 'undefined'].includes(typeof lookInto(message, name)));
