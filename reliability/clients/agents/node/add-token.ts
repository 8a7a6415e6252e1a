import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a proxy on loopback that adds a token. Its own address becomes that of the service in `Host` and `Origin`. */
export async function startTokenProxy(serviceUrl: string, token: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(serviceUrl);
  const server = createServer((asked, answer) => {
    const own = `:${(server.address() as AddressInfo).port}`;
    const readdressed = Object.entries(asked.headers).map(([name, value]) =>
      name === 'host' || name === 'origin' ? [name, String(value).replace(own, `:${port}`)] : [name, value],
    );
    const headers = { ...Object.fromEntries(readdressed), authorization: `Bearer ${token}` };
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (got) => {
      got.pipe(answer.writeHead(got.statusCode ?? 502, got.headers));
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}
