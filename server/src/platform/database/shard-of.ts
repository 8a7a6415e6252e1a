const HASH_PARTITION_SEED = 0x7a5b22367996dcfdn;
const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/**
 * Returns the number of an organization's shard, from 0: its place in the hash partitions of PostgreSQL (`hash_bytes_extended`
 * and `hash_combine64`), so that SQL finds the rows of a shard too (`deploy/shards`).
 *
 * @param organizationId UUID
 */
export function shardOf(organizationId: string, shards: number): number {
  const bytes = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  const hash = hashBytes(bytes, HASH_PARTITION_SEED) + 0x49a0f4dd15e5a8e3n;
  return Number(BigInt.asUintN(64, hash) % BigInt(shards));
}

/** Draws UUIDs until one is of this shard. */
export function idOnShard(shard: number, shards: number, draw: () => string): string {
  for (;;) {
    const id = draw();
    if (shardOf(id, shards) === shard) return id;
  }
}

/** Bob Jenkins' hash of 16 bytes, as in PostgreSQL's hashfn.c. */
function hashBytes(bytes: Buffer, seed: bigint): bigint {
  const start = 0x9e3779b9 + 16 + 3923095;
  const seeded = mix(start + Number(seed >> 32n), start + Number(seed & 0xffffffffn), start);
  const [a, b, c] = mix(
    seeded[0] + bytes.readUInt32LE(0),
    seeded[1] + bytes.readUInt32LE(4),
    seeded[2] + bytes.readUInt32LE(8),
  );
  const [high, low] = finish(a + bytes.readUInt32LE(12), b, c);
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

type Words = [a: number, b: number, c: number];

function mix(...words: Words): Words {
  let [a, b, c] = words;
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = (a - c) ^ rotate(c, first);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, second);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, third);
    b = (b + a) | 0;
  }
  return [a, b, c];
}

function finish(...words: Words): [high: number, low: number] {
  let [a, b, c] = words;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return [b, c];
}
