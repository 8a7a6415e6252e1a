/** What the messages of `/v1` say about requests, and the same for a model. */
const WORDS: readonly (readonly [ofRequests: string | RegExp, ofTools: string])[] = [
  ['Check the path, method and id.', 'Check the id.'],
  ['Retry after the seconds in Retry-After.', 'Call again after retry_after_seconds.'],
  ['belongs to an earlier request with another path or body', 'belongs to an earlier call with other arguments'],
  ['A request with this Idempotency-Key', 'A call with the same arguments'],
  [' in international format with %2B for its plus sign', ' in international format'],
  [/^Filter metadata as metadata\[key\]=value, with a key of/, 'Each key of metadata must have'],
  [/\bafter=(\d+)/g, 'after $1'],
  ['Idempotency-Key', 'idempotency_key'],
];

/** Says an error of `/v1` in the words of the tools, so that an agent does not follow what it cannot do. */
export const inWordsOfTools = (message: string): string =>
  WORDS.reduce((text, [ofRequests, ofTools]) => text.replace(ofRequests, ofTools), message);
