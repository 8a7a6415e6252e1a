// A reporter for `node --test`: the first failure decides, so the rest is not waited for.
import type { EventData } from 'node:test';

export default async function* stopAtFirst(
  events: AsyncIterable<{ type: string; data: unknown }>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { name } = data as EventData.TestFail;
    process.stdout.write(`${name}\n`, () => process.exit(1));
    yield '';
  }
}
