/** An attempt without an answer of the service. */
export interface NoAnswer {
  /** The reason, without a full stop. */
  message: string;
  /** Whether the last connection could not be made, so that nothing was sent on it. */
  isUnconnected: boolean;
  /** Whether the address may be wrong. */
  isUnreachable: boolean;
  /** Whether a retry cannot help: a wrong address or certificate. */
  isFinal: boolean;
}

interface NetworkError {
  name?: string;
  message?: string;
  code?: unknown;
  digest?: unknown;
  syscall?: string;
  cause?: NetworkError;
  errors?: NetworkError[];
}

/** Codes of OpenSSL in Node and Bun: the certificate is not trusted, or the server does not speak TLS. */
const TLS_CODE =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTO))/;
/** As Node, Deno and Bun word a port that `fetch` never calls, and Deno and Bun a certificate and a server without TLS. */
const REFUSED = /^bad port$|port \d+ are blocked|invalid peer certificate|InvalidContentType|TLS handshake failed/;
const CONNECT_CODE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused|FailedToOpenSocket|UND_ERR_CONNECT_TIMEOUT)$/;
const NETWORK_CODE = /^(E[A-Z]+|EAI_AGAIN|UND_ERR_\w+|HPE_\w+|Connection\w+|FailedToOpenSocket|Timeout)$/;
const NETWORK_NAME = /^(AbortError|TimeoutError|NetworkError|FetchError)$/;
const NETWORK_WORDS =
  /\b(network|connection|socket|timed out|fetch failed|sending request|load failed|internal error)\b| fetching "http/i;
/** As Node words the HTTP 407 of a proxy that it knows. One that it does not know of fails without any text. */
const PROXY_REFUSED = /^Proxy .*\(407\)/;
/** Workers say no more, so that something may have been sent. */
const OPAQUE = /^(Network connection lost|internal error; reference)/;
/** As V8, JavaScriptCore and SpiderMonkey word a mistake in a program. */
const MISTAKE = /is not a (function|constructor)|is not (defined|iterable|an object)|Cannot read|of (undefined|null)/;

/** Explains an attempt that failed before an answer began. Undefined if the network did not fail: a mistake, or a framework’s signal. */
export function explainFailure(base: string, thrown: unknown): NoAnswer | undefined {
  const outer: NetworkError = Object(thrown);
  const inner = outer.cause?.errors?.[0] ?? outer.cause ?? outer;
  const code = [inner.code, outer.code].find((one) => typeof one === 'string') ?? '';
  // Bun adds the whole address, whose query may name a person.
  const message = (inner.message ?? '').replace(/ fetching "http.*/s, '').trim();
  const isRefused = TLS_CODE.test(code) || REFUSED.test(message);
  const isNetwork =
    NETWORK_CODE.test(code) || NETWORK_NAME.test(outer.name ?? '') || NETWORK_WORDS.test(outer.message ?? '');
  // Next.js throws errors with a digest through `fetch`, and must get them back as they were.
  const isOther = typeof outer.digest === 'string' || MISTAKE.test(message) || !(isNetwork || isRefused);
  if (isOther) return undefined;
  const isConnecting = inner.syscall === 'connect' || inner.syscall === 'getaddrinfo';
  // Deno names the phase in its message only.
  const isUnconnected =
    isRefused || isConnecting || CONNECT_CODE.test(code) || /client error \(Connect\)/.test(message);
  const isProxy = message + code === '' || PROXY_REFUSED.test(inner.cause?.message ?? message);
  const reason = isProxy ? 'HTTP 407: the proxy requires authentication' : message || code || String(thrown);
  return {
    message: `No answer came from ${base} (${reason})`,
    isUnconnected,
    isUnreachable: isUnconnected || OPAQUE.test(message),
    isFinal: isRefused || isProxy,
  };
}

/** Whether the connection was lost while an answer was read, so that its status says nothing. A text that is no JSON is a whole answer. */
export const isCut = (thrown: unknown): boolean =>
  thrown !== undefined && Object(thrown).name !== 'SyntaxError' && explainFailure('', thrown) !== undefined;

/** Explains an answer that the service did not write. A gateway may have sent the request on before it answered. */
export function explainForeign(base: string, response: Response): NoAnswer {
  const { status, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  const isFinal = isRedirect || (status >= 400 && status < 500 && ![408, 425, 429].includes(status));
  const target = headers.get('Location') ?? '';
  const where = isRedirect && URL.canParse(target, base) ? `redirects to ${new URL(target, base).origin}` : '';
  const what = where || 'did not come from Bestow';
  const message = `HTTP ${status} of ${base} ${what}${isFinal ? '; check baseUrl and proxies' : ''}`;
  return { message, isUnconnected: false, isUnreachable: false, isFinal };
}
