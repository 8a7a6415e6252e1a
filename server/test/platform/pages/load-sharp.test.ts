import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSharp } from '../../../src/platform/pages/load-sharp.ts';

const RED = { create: { width: 120, height: 76, channels: 3, background: '#f00' } } as const;

test('a picture is read while others begin, and another format is refused', async () => {
  const open = await loadSharp();
  const file = await open(RED).png().toBuffer();
  const draw = async () => {
    for (let n = 0; n < 50; n += 1) {
      const load = loadSharp();
      const [metadata] = await Promise.all([open(file).metadata(), load]);
      assert.equal(metadata.format, 'png');
    }
  };
  await Promise.all(Array.from({ length: 8 }, draw));
  await assert.rejects(open(await open(RED).tiff().toBuffer()).metadata(), /unsupported image format/);
});
