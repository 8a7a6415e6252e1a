import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { encodeLogo } from '../../../src/core/face/encode-logo.ts';
import { picture } from '../../harness/audited-brand-acts.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const admin = openForFile(async () => {
  await organization.addMembers();
  return createPortalClient(service, 'admin@example.com');
});

const upload = (file: Buffer | null, to = organization, by = admin) =>
  by.call('PUT', `/organizations/${to.organizationId}/brand/logo`, { file: file?.toString('base64') ?? null });

const SCRIPT = '<script>alert(1)</script>';
const TOO_SMALL = 'The logo must be at least 16 pixels wide and high, also when it is fitted into 400 × 160.';
const INCOMPLETE = 'The logo must be a complete PNG, JPEG or WebP image.';

/** A PNG that says it has so many pixels. */
function claimingPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const rows = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

test('a logo is drawn again, without metadata and what was hidden in the file', async () => {
  const photo = picture(1_200, 300).withExif({ IFD0: { Copyright: 'Ada at 52.1, 4.3' } });
  for (const file of [
    await photo.clone().jpeg().toBuffer(),
    await photo.clone().png().toBuffer(),
    await photo.clone().webp().toBuffer(),
  ]) {
    const answer = await upload(Buffer.concat([file, Buffer.from(SCRIPT)]));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { path, ...size } = answer.body.logo;
    assert.deepEqual(size, { width: 400, height: 100 });
    const served = await fetch(service.url + path);
    const content = Buffer.from(await served.arrayBuffer());
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(served.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(served.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.ok(!content.includes(SCRIPT) && !content.includes('Ada at'));
    const { format, exif, hasAlpha } = await sharp(content).metadata();
    assert.deepEqual({ format, exif, hasAlpha }, { format: 'png', exif: undefined, hasAlpha: false });
  }
});

test('a replaced logo’s address leads to the new one, a removed logo’s to nothing', async () => {
  const first = (await upload(await picture(100, 50, '#aa0000').png().toBuffer())).body.logo.path;
  const second = (await upload(await picture(100, 50, '#00aa00').png().toBuffer())).body.logo.path;
  const moved = await fetch(service.url + first);
  assert.deepEqual([moved.url, moved.status], [service.url + second, 200]);
  assert.equal(
    (await fetch(service.url + second, { headers: { 'if-none-match': moved.headers.get('etag') ?? '' } })).status,
    304,
  );
  assert.equal((await upload(null)).body.logo, null);
  assert.equal((await fetch(service.url + second)).status, 404);
  assert.equal((await fetch(`${service.url}/assets/logo/org_x/..%2f.png`)).status, 404);
});

test('only whole PNG, JPEG and WebP images of a bounded size become logos', async () => {
  const png = await picture(300, 100).png().toBuffer();
  const noise = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * 7919) % 251));
  const jpeg = await sharp(noise, { raw: { width: 300, height: 100, channels: 3 } })
    .jpeg()
    .toBuffer();
  const refused: [string, Buffer, string][] = [
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), INCOMPLETE],
    ['gif', await picture(30, 30).gif().toBuffer(), INCOMPLETE],
    ['tiff', await picture(30, 30).tiff().toBuffer(), INCOMPLETE],
    ['text after a signature', Buffer.concat([png.subarray(0, 8), Buffer.from(SCRIPT.repeat(9))]), INCOMPLETE],
    ['half a PNG', png.subarray(0, png.length / 2), INCOMPLETE],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), INCOMPLETE],
    ['a bomb', claimingPng(30_000, 30_000), INCOMPLETE],
    ['a long bomb', claimingPng(1_000_000, 17), INCOMPLETE],
    ['a tall bomb', claimingPng(1, 16_000_000), TOO_SMALL],
    ['nothing', Buffer.alloc(0), 'The logo must be sent as base64.'],
    ['a dot', await picture(1, 1).png().toBuffer(), TOO_SMALL],
    ['glass', await picture(100, 50, '#00000000').png().toBuffer(), 'The logo is empty: every pixel is transparent.'],
  ];
  for (const [name, file, message] of refused) {
    const answer = await upload(file);
    assert.deepEqual([answer.status, answer.body.error.message], [422, message], name);
  }
  assert.equal((await upload(Buffer.alloc(750_001))).status, 422);
  await assert.rejects(encodeLogo(Buffer.alloc(750_001)), /at most 750 kB/);
});

test('organizations take turns with their logos, and one has five at once', async () => {
  const other = await service.organization();
  await other.addMembers();
  const by = await createPortalClient(service, 'admin@example.com');
  const large = await picture(3_000, 3_000).png().toBuffer();
  const done: string[] = [];
  const note = async (name: string, answer: ReturnType<typeof upload>) => {
    done.push(`${name} ${(await answer).status}`);
  };
  const many = Array.from({ length: 6 }, () => note('many', upload(large)));
  await Promise.all([...many, note('one', upload(await picture(64, 64).png().toBuffer(), other, by))]);
  assert.deepEqual(done.toSorted(), [
    'many 200',
    'many 200',
    'many 200',
    'many 200',
    'many 200',
    'many 429',
    'one 200',
  ]);
  assert.ok(done.indexOf('one 200') < done.lastIndexOf('many 200') - 1, done.join());
});

test('a transparent logo gets a ground on which its drawing is seen', async () => {
  const corner = async (color: string) => {
    const drawing = await picture(300, 100, color).png().toBuffer();
    const file = await sharp(drawing).extend({ left: 10, background: '#00000000' }).png().toBuffer();
    const { content } = await encodeLogo(file);
    return [...(await sharp(content).raw().toBuffer()).subarray(0, 3)];
  };
  assert.deepEqual(await corner('#112233'), [255, 255, 255]);
  assert.deepEqual(await corner('#fff8ee'), [0x2a, 0x1b, 0x21]);
});
