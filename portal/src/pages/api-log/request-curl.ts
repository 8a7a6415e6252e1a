import type { components } from '../../api/schema.d.ts';

type LoggedRequest = components['schemas']['LoggedRequest'];

/** A purchase. The key is of the copy: the command buys once, however often it runs. */
const needsKey = ({ method, path }: LoggedRequest) => method === 'POST' && /^\/v1\/orders(?:\?|$)/.test(path);

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command for a shell. Masked values and the API key are left to the person. */
export function curlOf(request: LoggedRequest, apiUrl: string): string {
  const { method, path, body } = request;
  const words = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(apiUrl + path)}`,
    '-H "Authorization: Bearer $BESTOW_API_KEY"',
    ...(needsKey(request) ? [`-H 'Idempotency-Key: copy-of-${request.request_id}'`] : []),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(body)}`]),
  ];
  return words.join(' \\\n  ');
}

export const hasMasked = ({ path, body }: LoggedRequest) => /•|…/.test(path + (body ?? ''));

const ORDER = /ord_[0-9a-z]{26}/;
const GIFT = /gift_[0-9a-z]{26}/;

/** The order and the gift that a request was about: named in its path, or in the answer to a purchase. */
export function subjectsOf({ method, path, answer }: LoggedRequest): {
  orderId: string | undefined;
  giftId: string | undefined;
} {
  const isAboutOne = ORDER.test(path) || GIFT.test(path) || method === 'POST';
  const text = isAboutOne ? `${path} ${answer ?? ''}` : '';
  const giftId = GIFT.exec(path)?.[0];
  return { orderId: ORDER.exec(text)?.[0], giftId };
}
