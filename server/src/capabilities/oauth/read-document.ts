import { request as httpsRequest } from 'node:https';
import { createAddressRules } from '../webhooks/allowed-address.ts';
import { createAgents } from '../webhooks/checked-agents.ts';
import { SYSTEM_FILES } from '../webhooks/local-names.ts';
import { createResolver } from '../webhooks/resolve-name.ts';

/** A description of a client has some hundred bytes. */
const MAX_BYTES = 16_384;

/**
 * Makes a reader of the documents in which programs describe themselves. It connects as pushes do: by https, only to public
 * addresses or networks that the operator allows, and follows no redirect.
 */
export function createDocumentReader(allowedNetworks: readonly string[]) {
  const resolve = createResolver(allowedNetworks.length > 0 ? { files: SYSTEM_FILES } : {});
  const { https: agent } = createAgents(createAddressRules(allowedNetworks), resolve);
  return (url: string | URL | Request, { signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'application/json', 'user-agent': 'Bestow/1' };
      const request = httpsRequest(String(url), { agent, headers, ...(signal ? { signal } : {}) });
      request.on('error', reject).on('response', async (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        try {
          for await (const part of response as AsyncIterable<Buffer>) {
            bytes += part.length;
            if (bytes > MAX_BYTES) throw new Error('The document is too long.');
            parts.push(part);
          }
        } catch (error) {
          reject(error as Error);
          return;
        }
        const headersOf = new Headers();
        const { 'cache-control': caching } = response.headers;
        if (caching !== undefined) headersOf.set('cache-control', caching);
        const status = response.statusCode ?? 500;
        resolve(new Response(status === 200 ? Buffer.concat(parts) : null, { status, headers: headersOf }));
      });
      request.end();
    });
}
