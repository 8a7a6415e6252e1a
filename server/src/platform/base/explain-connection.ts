/** What the codes of libraries and the operating system say about a connection, without a full stop. */
const EXPLANATIONS: readonly [code: RegExp, text: string][] = [
  [/^(query\w* |getaddrinfo )?(ENOTFOUND|ENODATA)$/, 'The server’s name was not found'],
  [/^(query\w*|getaddrinfo) /, 'The name servers did not answer'],
  [/^ECONNREFUSED$/, 'The server refused the connection'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'The server did not answer in time'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, 'The server cannot be reached'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The server closed the connection without an answer'],
  [/^HPE_/, 'The server’s answer was not HTTP'],
  [/^(EPROTO$|ERR_SSL_)/, 'The server does not begin TLS on this port'],
  [/^CERT_HAS_EXPIRED$/, 'The server’s certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The server’s certificate is for another name'],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'The server’s certificate is not of a known authority, or lacks the certificates between',
  ],
  [/^CERT_/, 'The server’s certificate is not valid'],
];

interface NetworkError {
  code?: unknown;
  /** Nodemailer's `code` is its own. */
  originalCode?: unknown;
  syscall?: unknown;
  cause?: NetworkError;
}

/** Explains a failed connection, because the words of libraries are for programmers. Undefined if the error is another. */
export function explainConnection(error: unknown): { text: string; code: string } | undefined {
  const { code, originalCode, syscall = '', cause }: NetworkError = Object(error);
  const own = String(originalCode ?? code ?? '');
  const asked = /^(query|getaddrinfo)/.test(String(syscall)) ? `${String(syscall)} ${own}` : own;
  const text = EXPLANATIONS.find(([pattern]) => pattern.test(asked))?.[1];
  if (text !== undefined) return { text, code: own };
  return cause === undefined ? undefined : explainConnection(cause);
}
