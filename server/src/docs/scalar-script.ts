import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** The script of the API reference, compressed. */
export interface ScalarScript {
  br: Buffer;
  gzip: Buffer;
}

const manifest = readFileSync(new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference')), 'utf8');

/** Part of the script's address, so that browsers may cache it for ever. */
export const scalarVersion = (JSON.parse(manifest) as { version: string }).version;

function compress(): Promise<ScalarScript> {
  const { promise, resolve, reject } = Promise.withResolvers<ScalarScript>();
  const worker = new Worker(new URL('scalar-compression.ts', import.meta.url));
  worker.once('message', ({ br, gzip }: { br: Uint8Array; gzip: Uint8Array }) => {
    resolve({
      br: Buffer.from(br.buffer, br.byteOffset, br.length),
      gzip: Buffer.from(gzip.buffer, gzip.byteOffset, gzip.length),
    });
  });
  worker.once('error', reject);
  worker.once('exit', (code) => {
    reject(new Error(`Compressing the API reference's script ended with code ${code}.`));
  });
  return promise;
}

/**
 * Loads the script once, with the first request. A separate thread loads and compresses the 4.4 MB: an imported module
 * never leaves its thread's memory, and compressing would block orders.
 */
export function createScalarScript(): () => Promise<ScalarScript> {
  let loaded: Promise<ScalarScript> | undefined;
  return () => {
    loaded ??= compress().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
