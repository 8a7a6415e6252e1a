import { X509Certificate } from 'node:crypto';
import SnsPayloadValidator from 'sns-payload-validator';
import { BestowError } from '../../../platform/base/errors.ts';
import { getPath } from '../../../platform/base/get-path.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import { certificatesOf } from '../../../platform/base/private-internals.ts';
import { fetchLimited } from '../../../platform/http/fetch-limited.ts';

type SnsMessage = SnsPayloadValidator.SnsPayload;

/** An Amazon SNS topic whose calls are accepted. */
interface SnsTopic {
  /**
   * Returns the message if this topic signed it.
   *
   * @throws if the topic's certificate cannot be downloaded at the moment
   */
  verify(message: unknown): Promise<SnsMessage | undefined>;
  /**
   * Confirms the subscription.
   *
   * @returns whether the message was a confirmation request
   * @throws if Amazon refuses the confirmation
   */
  confirm(message: SnsMessage): Promise<boolean>;
}

/** Amazon changes its certificate about once a year. */
const TIMEOUT_MS = 3_000;
const MOST_BYTES = 65_536;
const MAX_CERTIFICATES = 10;
const MAX_DOWNLOADS_UNDER_WAY = 4;

/**
 * Accepts certificates and confirmation links only from the topic's region, `sns.<region>.amazonaws.com`.
 *
 * @throws OperatorError if the ARN is invalid
 */
export function snsTopic(topicArn: string): SnsTopic {
  const origin = originOf(topicArn);
  const validator = new SnsPayloadValidator({ maxCerts: MAX_CERTIFICATES });
  // The library's own download knows no limits and takes an error page for a certificate, then keeps it. So its cache is
  // filled before it is asked.
  const certificates = certificatesOf(validator);
  const downloads = new Map<string, Promise<string | undefined>>();

  async function certificate(url: string): Promise<string | undefined> {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    let download = downloads.get(url);
    if (download === undefined) {
      // Anyone can send URLs; each costs a request to Amazon.
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
      certificates.set(message.SigningCertURL, pem);
      return validator.validate(message).catch(() => undefined);
    },
    async confirm({ SubscribeURL: url = '' }) {
      const link = URL.canParse(url) ? new URL(url) : undefined;
      if (link?.origin !== origin || link.searchParams.get('Action') !== 'ConfirmSubscription') return false;
      const { status } = await fetchSmall(link.href);
      if (status !== 200) throw new Error(`Amazon SNS answered the confirmation with ${status}.`);
      return true;
    },
  };
}

function originOf(topicArn: string): string {
  const [, partition, region] =
    /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]+):\d{12}:[\w-]{1,256}$/.exec(topicArn) ?? [];
  if (region === undefined)
    throw new OperatorError(
      'SES_TOPIC_ARN must be a topic of Amazon SNS such as arn:aws:sns:eu-west-1:123456789012:email-events.',
    );
  return `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

const isCertificateUrl = (origin: string, url: string) =>
  url.startsWith(`${origin}/`) && /^\/SimpleNotificationService-[A-Za-z0-9]{32}\.pem$/.test(url.slice(origin.length));

const fetchSmall = (url: string) => fetchLimited(url, MOST_BYTES, AbortSignal.timeout(TIMEOUT_MS));

/** @returns undefined if no certificate exists at this URL */
async function downloadCertificate(url: string): Promise<string | undefined> {
  const { status, content } = await fetchSmall(url);
  if (status === 403 || status === 404) return undefined;
  if (status !== 200) throw new Error(`Amazon SNS answered the certificate request with ${status}.`);
  return new X509Certificate(content).toString();
}

const texts = ['Type', 'MessageId', 'TopicArn', 'Message', 'Timestamp', 'Signature', 'SigningCertURL'];

/** The library does not check types. */
const isMessage = (message: unknown): message is SnsMessage =>
  texts.every((name) => typeof getPath(message, name) === 'string') &&
  ['Subject', 'SubscribeURL'].every((name) => ['string', 'undefined'].includes(typeof getPath(message, name)));
