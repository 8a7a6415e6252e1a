import { Client, type ClientConfig } from 'pg';

/** Acts on a connection of its own, which is ended afterwards. Where it is lost, the query under way fails, or the next. */
export async function withConnection<Result>(
  config: ClientConfig,
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  client.on('error', () => {
    // Unheard it would end the process.
  });
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
