/** An attempt without an answer of the service. */
export interface NoAnswer {
  /** The reason, without a full stop. */
  message: string;
  /** Whether the last connection could not be made, so that nothing was sent on it. */
  isUnconnected: boolean;
  /** Whether a retry cannot help: a wrong address or certificate, or an error in the program itself. */
  isFinal: boolean;
}

interface NetworkError {
  message?: string;
  code?: string;
  syscall?: string;
  cause?: NetworkError;
  errors?: NetworkError[];
}

/** Codes of OpenSSL in Node and Bun: the certificate is not trusted, or the server does not speak TLS. */
const TLS_CODE =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTO))/;
const CONNECT_CODE = /^(ConnectionRefused|FailedToOpenSocket|UND_ERR_CONNECT_TIMEOUT)$/;
/** As V8, JavaScriptCore and SpiderMonkey word a mistake in a program. */
const MISTAKE = /is not a (function|constructor)|is not (defined|iterable|an object)|Cannot read|of (undefined|null)/;

/** Explains an attempt that failed before an answer began. */
export function explainFailure(base: string, thrown: unknown): NoAnswer {
  const outer: NetworkError = Object(thrown);
  const inner = outer.cause?.errors?.[0] ?? outer.cause ?? outer;
  const [code, message] = [inner.code ?? outer.code ?? '', inner.message?.trim() ?? ''];
  const isRefused = TLS_CODE.test(code) || /invalid peer certificate|^bad port$/.test(message);
  const isConnecting = inner.syscall === 'connect' || inner.syscall === 'getaddrinfo';
  const isMistake =
    /^(ReferenceError|RangeError|SyntaxError)$/.test((thrown as Error | null)?.name ?? '') || MISTAKE.test(message);
  return {
    message: `No answer came from ${base} (${message || code || String(thrown)})`,
    // Deno names the phase in its message only.
    isUnconnected: isRefused || isConnecting || CONNECT_CODE.test(code) || /client error \(Connect\)/.test(message),
    isFinal: isRefused || isMistake,
  };
}

/** Explains an answer that the service did not write. A gateway may have sent the request on before it answered. */
export function explainForeign(base: string, response: Response): NoAnswer {
  const { status, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  const isFinal = isRedirect || (status >= 400 && status < 500 && ![408, 425, 429].includes(status));
  const target = headers.get('Location') ?? '';
  const where = isRedirect && URL.canParse(target, base) ? `redirects to ${new URL(target, base).origin}` : '';
  const what = where || 'did not come from Bestow';
  const message = `HTTP ${status} of ${base} ${what}${isFinal ? '; check baseUrl and proxies' : ''}`;
  return { message, isUnconnected: false, isFinal };
}
