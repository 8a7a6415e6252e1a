/**
 * The only access to private or patched parts of libraries. An upgrade may break each of them without a type error, so a
 * test fails when an installed version differs from this table; try the part again, then change the version.
 */
export const triedVersions = {
  pg: '8.23.1',
  nodemailer: '10.6.0',
  'better-auth': '1.7.25',
  'sns-payload-validator': '2.1.0',
  // Its table of jobs (jobs/insert-jobs.ts).
  'pg-boss': '12.35.0',
} as const;

/** Returns the PostgreSQL process of a `pg` client's session; undefined before it is connected. */
export const sessionOf = (client: object) => (client as { processID?: number | null }).processID ?? undefined;

/** Returns the connection parameters that a `pg` client has parsed from its URL. */
export const connectionParametersOf = <Parameters>(client: object) =>
  (client as { connectionParameters: Parameters }).connectionParameters;

type Query = (...parameters: unknown[]) => Promise<unknown>;

/** Replaces the `query` method of a `pg` client or pool. */
export function wrapQuery(target: object, wrap: (query: Query) => Query): void {
  const patched = target as { query: Query };
  patched.query = wrap(patched.query.bind(target));
}

interface Corked {
  connection?: { stream?: { cork?(): void; uncork?(): void } };
}

/** Sends the statements that the act gives to a pipelined `pg` client in one packet, so that PostgreSQL wakes up once. */
export function inOnePacket<Result>(client: object, act: () => Result): Result {
  const { stream } = (client as Corked).connection ?? {};
  stream?.cork?.();
  try {
    return act();
  } finally {
    stream?.uncork?.();
  }
}

interface Sender {
  send(message: unknown, handle?: { close(): void } | null, ...more: unknown[]): boolean;
}

/**
 * Returns a function that closes the connection under way to a process of `node:cluster`. If the process dies before it
 * takes the connection, Node keeps it open, and the client would wait for ever.
 */
export function watchHandedConnection(process: object): () => void {
  const sender = process as Sender;
  const send = sender.send.bind(sender);
  let handed: { close(): void } | undefined;
  sender.send = (message, handle, ...more) => {
    handed = handle ?? handed;
    return send(message, handle, ...more);
  };
  return () => handed?.close();
}

interface Matcher {
  matcher(context: { path?: string | undefined }): boolean;
}

/** Runs the first `after` hook of a `better-auth` plugin for this path too. */
export function addToMatcher(plugin: { hooks: { after: readonly object[] } }, path: string): void {
  const hook = plugin.hooks.after[0] as Matcher;
  const { matcher } = hook;
  hook.matcher = (context) => matcher(context) || context.path === path;
}

interface MimeNode {
  buildHeaders(): string;
  getEnvelope(): unknown;
  createReadStream(options?: unknown): { once(name: 'end', act: () => void): void };
}

/** Puts headers before those of a `nodemailer` message and replaces its envelope. */
export function replaceMessageParts(message: object, headers: string, envelope: { from: string; to: string[] }): void {
  const node = message as MimeNode;
  const buildHeaders = node.buildHeaders.bind(node);
  node.buildHeaders = () => `${headers}\r\n${buildHeaders()}`;
  node.getEnvelope = () => envelope;
}

/** Calls back when a connection has read the whole of a `nodemailer` message, of which the server then has at least a part. */
export function onceRead(message: object, act: () => void): void {
  const node = message as MimeNode;
  const createReadStream = node.createReadStream.bind(node);
  node.createReadStream = (options) => {
    const stream = createReadStream(options);
    stream.once('end', act);
    return stream;
  };
}

/** Returns the certificates by URL that an `sns-payload-validator` has cached. */
export const certificatesOf = (validator: object) => (validator as { certCache: Map<string, string> }).certCache;
