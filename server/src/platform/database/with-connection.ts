import { Client, type ClientConfig } from 'pg';

/** Runs the act on its own connection and closes it. If the connection is lost, the current or next query fails. */
export async function withConnection<Result>(
  config: ClientConfig,
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  client.on('error', () => {
    // An unhandled event would end the process.
  });
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
