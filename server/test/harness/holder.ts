import { Client, type QueryResult } from 'pg';
import type { TestService } from './test-service.ts';

/** A session on each server, for transactions that hold locks as another process would. */
export interface Holder {
  /** Runs the statement on each server. */
  query(text: string, values?: unknown[]): Promise<QueryResult[]>;
  end(): Promise<void>;
}

export async function openHolder({ servers }: Pick<TestService, 'servers'>): Promise<Holder> {
  const clients = servers.map((server) => new Client(server));
  for (const client of clients) await client.connect();
  return {
    query: (text, values = []) => Promise.all(clients.map((client) => client.query(text, values))),
    end: async () => {
      for (const client of clients) await client.end();
    },
  };
}
