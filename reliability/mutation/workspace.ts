import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the repository outside of it, whose server is to be mutated; everything but the server's code is linked to. */
export interface Workspace {
  root: string;
  write(file: { path: string; content: string }): void;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'bestow-mutation-'));
  const server = join(root, 'server');
  for (const name of readdirSync(REPOSITORY))
    if (name !== 'server' && name !== '.git') symlinkSync(join(REPOSITORY, name), join(root, name));
  mkdirSync(server);
  cpSync(join(REPOSITORY, 'server'), server, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules',
  });
  symlinkSync(join(REPOSITORY, 'server/node_modules'), join(server, 'node_modules'));
  return {
    root,
    write: ({ path, content }) => writeFileSync(join(server, 'src', path), content),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
