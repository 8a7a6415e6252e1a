import { sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCertificate } from './certificate.ts';
import { endWithTest } from './end-with-test.ts';

export const TOPIC_ARN = 'arn:aws:sns:eu-west-1:123456789012:email-events';
export const SNS_ORIGIN = 'https://sns.eu-west-1.amazonaws.com';
export const CERTIFICATE_PATH = '/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem';

type Fields = Record<string, string>;
export type SnsAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Amazon SNS as the service sees it: signed messages, certificates and confirmations. */
export interface AmazonSns {
  /** Requests to Amazon's hosts, in order. */
  asked: string[];
  /** Answers in this way, not with the certificate or the confirmation; without an argument as Amazon does. */
  answer(act?: SnsAnswer): void;
  /** Makes a signed message; `more` replaces fields before it is signed, `after` fields afterwards. */
  message(type: string, more?: Fields, after?: Fields): Fields;
  close(): Promise<void>;
}

/** Sends requests for Amazon's hosts to a local server. Other requests are unchanged. */
export async function startAmazonSns(): Promise<AmazonSns> {
  const { privateKey, pem } = createCertificate('sns.amazonaws.com');
  let instead: SnsAnswer | undefined;
  const server = createServer((request, response) => {
    if (instead) instead(request, response);
    else if (request.url === CERTIFICATE_PATH) response.end(pem);
    else if (request.url?.startsWith('/?Action=ConfirmSubscription&')) response.end('<ConfirmSubscriptionResponse/>');
    else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1' || url.hostname === 'localhost') return realFetch(input, init);
    sns.asked.push(url.href);
    return realFetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, init);
  };

  const sns: AmazonSns = {
    asked: [],
    answer(act) {
      instead = act;
    },
    message(type, more = {}, after = {}) {
      const isNotification = type === 'Notification';
      const fields: Fields = {
        Type: type,
        MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
        TopicArn: TOPIC_ARN,
        Message: 'You have chosen to subscribe to the topic.',
        Timestamp: '2026-11-21T12:00:01.000Z',
        SignatureVersion: '1',
        SigningCertURL: SNS_ORIGIN + CERTIFICATE_PATH,
        ...(isNotification ? {} : { Token: '2336412f37', SubscribeURL: subscribeUrl(TOPIC_ARN) }),
        ...more,
      };
      // https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
      const signed = isNotification
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
      const text = signed.flatMap((name) => (name in fields ? [`${name}\n${fields[name]}\n`] : [])).join('');
      const hash = fields['SignatureVersion'] === '1' ? 'sha1' : 'sha256';
      const signature = sign(hash, Buffer.from(text), privateKey).toString('base64');
      return { Signature: signature, ...fields, ...after };
    },
    close: endWithTest(() => {
      globalThis.fetch = realFetch;
      server.close();
      server.closeAllConnections();
    }),
  };
  return sns;
}

export const subscribeUrl = (topicArn: string) =>
  `${SNS_ORIGIN}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`;
