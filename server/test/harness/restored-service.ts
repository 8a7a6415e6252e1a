import { endWithTest } from './end-with-test.ts';
import { TestClock } from './test-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { startTestServiceOn, type TestService } from './test-service.ts';

/** A service whose database goes back to a backup. Its address stays, and its time goes on. */
export interface RestoredService {
  /** The service as it runs now. */
  now(): TestService;
  /** Copies the database, and goes on. */
  backUp(): Promise<Date>;
  /** Goes on with the database as it was at the backup, or an earlier one of them. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startRestoredService(variables: Record<string, string> = {}): Promise<RestoredService> {
  const databases: TestDatabase[] = [await createTestDatabase()];
  let current = databases[0] as TestDatabase;
  let backup: TestDatabase | undefined;
  const startOn = async (database: TestDatabase, port: string, time?: number) => {
    const clock = time === undefined ? undefined : new TestClock(new Date(time).toISOString());
    return await startTestServiceOn(database, { ...variables, PORT: port }, clock);
  };
  let running = await startOn(current, '0');
  for (const id of ['coffee', 'books', 'travel']) await running.addCategory(id);
  const copy = async (from: TestDatabase) => {
    const made = await createTestDatabase(from.target.database);
    databases.push(made);
    return made;
  };
  const restart = async (choose: () => Promise<TestDatabase>) => {
    const { url, clock } = running;
    await running.close();
    current = await choose();
    running = await startOn(current, new URL(url).port, clock.now());
  };
  return {
    now: () => running,
    async backUp() {
      const at = new Date(running.clock.now());
      await restart(async () => {
        backup = await copy(current);
        return current;
      });
      await running.clock.jump(1_000);
      return at;
    },
    restore: () =>
      restart(async () => {
        if (backup === undefined) throw new Error('There is no backup.');
        return await copy(backup);
      }),
    close: endWithTest(async () => {
      await running.close();
      for (const database of databases) await database.drop();
    }),
  };
}
