import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import type { KeptOrder, Store } from './store.ts';

const STALE_MS = 3_600_000;
const MOST_NAMES = 10;

/**
 * Keeps each order in a file of a folder, which several processes may share; the clients for Python and Go write the same
 * files. Use one folder for each API key: a kept order is sent again with the key of the client that resumes it.
 */
export class FolderStore implements Store {
  readonly #folder: string;

  constructor(path: string) {
    this.#folder = path;
  }

  /** @throws Error if another order is kept with this key, or the file cannot be written */
  async keep(idempotencyKey: string, body: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(idempotencyKey);
    const earlier = await this.#read(file);
    if (earlier !== undefined && !isDeepStrictEqual(JSON.parse(earlier.body), JSON.parse(body)))
      throw new Error('Another order is kept with this key. Resume that one first. A new key is a new order.');
    const temporary = join(this.#folder, `${randomUUID()}.tmp`);
    try {
      const record = JSON.stringify({ idempotency_key: idempotencyKey, body });
      await flushed(await open(temporary, 'wx', 0o600), (handle) => handle.writeFile(record));
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    // Windows cannot flush a folder.
    if (platform !== 'win32') await flushed(await open(this.#folder, 'r'));
  }

  async forget(idempotencyKey: string): Promise<void> {
    await rm(this.#fileOf(idempotencyKey), { force: true });
  }

  /** The orders that can be read. @throws Error with the names of the other files, last */
  async *kept(): AsyncGenerator<KeptOrder, void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const failures: string[] = [];
    for (const name of (await readdir(this.#folder)).sort()) {
      const file = join(this.#folder, name);
      if (name.endsWith('.tmp')) await removeStale(file);
      if (!name.endsWith('.json')) continue;
      const order = await this.#read(file).catch((error: Error) => void failures.push(error.message));
      if (order !== undefined) yield order;
    }
    if (failures.length > 0) throw new Error(`Kept orders cannot be read: ${failures.slice(0, MOST_NAMES).join('; ')}`);
  }

  /** The key may hold slashes. */
  #fileOf(idempotencyKey: string): string {
    return join(this.#folder, `${createHash('sha256').update(idempotencyKey).digest('hex')}.json`);
  }

  /** Undefined if there is no such file. @throws Error that names the file */
  async #read(file: string): Promise<KeptOrder | undefined> {
    const text = await readFile(file, 'utf8').catch(unlessMissing);
    if (text === undefined) return undefined;
    try {
      const { idempotency_key: idempotencyKey, body } = JSON.parse(text.replace(/^\uFEFF/, ''));
      const isOrder = typeof body === 'string' && /^\s*\{/.test(body) && JSON.parse(body) !== null;
      if (isOrder && file === this.#fileOf(idempotencyKey)) return { idempotencyKey, body };
    } catch {
      // The same as another content.
    }
    throw new Error(`${file} holds no order of this name. Repair the file, or remove it.`);
  }
}

/** Makes durable what was written, and closes the file. */
async function flushed(handle: FileHandle, write?: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write?.(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Removes the temporary file of a program that was killed while it wrote. */
async function removeStale(file: string): Promise<void> {
  const { mtimeMs } = (await stat(file).catch(unlessMissing)) ?? { mtimeMs: Number.POSITIVE_INFINITY };
  if (Date.now() - mtimeMs > STALE_MS) await rm(file, { force: true });
}
