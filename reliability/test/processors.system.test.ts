import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { keepTo, processors } from '../processors.ts';

// Issue 6, «Faults»: the service and its clients as on machines of their own.

/** How many processors a process that this one starts now may run on. */
async function countAllowed(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'os.availableParallelism()']);
  return Number(stdout);
}

test('the service and its clients share no processor, where there are two, and leave none out', () => {
  const { service, clients, all } = processors;
  if (availableParallelism() > 1) assert.equal(`${service},${clients}`, all);
  else assert.deepEqual([service, clients], [all, all]);
});

test('what a process starts stays on the processors that it is kept to', async () => {
  const counts: number[] = [];
  try {
    for (const list of [processors.service, processors.clients]) {
      await keepTo(list);
      counts.push(await countAllowed());
    }
  } finally {
    await keepTo(processors.all);
  }
  const lists = [processors.service, processors.clients, processors.all];
  assert.deepEqual(
    [...counts, await countAllowed()],
    lists.map((list) => list.split(',').length),
  );
});
