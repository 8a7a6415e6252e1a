/** A file in a ZIP archive, with the sizes that its directory says (APPNOTE 4.3.12). */
export interface ZipPart {
  name: string;
  isDeflated: boolean;
  packed: Uint8Array;
  /** Bytes when it is unpacked; `unpack` makes no more. */
  size: number;
}

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
/** The end of the directory is before a comment of at most 64 kB. */
const LONGEST_END = 65_557;
const IN_ZIP64 = 0xffffffff;

/** Lists the files of an archive. @throws RangeError if it is damaged, or has parts that are not read here */
export function partsOf(bytes: Uint8Array): ZipPart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= Math.max(0, bytes.length - LONGEST_END) && view.getUint32(end, true) !== END) end -= 1;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: count }, () => {
    if (view.getUint32(at, true) !== CENTRAL) throw new RangeError('The directory of the archive is damaged.');
    const [method, packedSize, size] = [view.getUint16(at + 10, true), ...sizesOf(view, at)];
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd));
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (view.getUint32(local, true) !== LOCAL || (method !== 0 && method !== 8))
      throw new RangeError('The archive has a part that cannot be unpacked.');
    return { name, isDeflated: method === 8, packed: bytes.subarray(start, start + packedSize), size };
  });
}

/** Sizes of an entry; some programs write them in the long form of ZIP64 (APPNOTE 4.5.3) for small files too. */
function sizesOf(view: DataView, at: number): [packed: number, unpacked: number] {
  let [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  let extra = at + 46 + view.getUint16(at + 28, true);
  const end = extra + view.getUint16(at + 30, true);
  while (extra < end && view.getUint16(extra, true) !== 1) extra += 4 + view.getUint16(extra + 2, true);
  const long = (index: number) => Number(view.getBigUint64(extra + 4 + 8 * index, true));
  if (packed === IN_ZIP64 && extra < end) packed = long(unpacked === IN_ZIP64 ? 1 : 0);
  if (unpacked === IN_ZIP64 && extra < end) unpacked = long(0);
  return [packed, unpacked];
}

/** Unpacks a file. @throws RangeError if it is longer than the directory says */
export async function unpack({ isDeflated, packed, size }: ZipPart): Promise<Uint8Array> {
  if (!isDeflated) return packed;
  const unpacked = new Uint8Array(size);
  let length = 0;
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return unpacked.subarray(0, length);
    unpacked.set(value, length);
    length += value.length;
  }
}

/** Makes an archive without compression and without checksums, for `hucre`, which takes no parts. */
export function pack(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const title = new TextEncoder().encode(name);
    const { length } = content;
    const head = fields([4, LOCAL], [2, 20], [4, 0], [4, 0], [4, 0], [4, length], [4, length], [4, title.length]);
    const entry = fields([4, CENTRAL], [4, 20], [4, 0], [4, 0], [4, 0], [4, length], [4, length], [4, title.length]);
    local.push(head, title, content);
    central.push(entry, fields([4, 0], [2, 0], [4, 0], [4, offset]), title);
    offset += head.length + title.length + length;
  }
  const directory = central.reduce((sum, { length }) => sum + length, 0);
  const end = fields([4, END], [4, 0], [2, files.size], [2, files.size], [4, directory], [4, offset], [2, 0]);
  return joined([...local, ...central, end]);
}

/** Numbers of 2 or 4 bytes, least significant first. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of numbers) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
