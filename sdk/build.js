// Builds an ECMAScript module and a CommonJS module, each with its types. `npm pack` runs this.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
// In a production installation only the portal, whose build packs the SDK too, has the compiler.
const compiler = createRequire(join(root, '../portal/package.json')).resolve('typescript/bin/tsc');

rmSync(join(root, 'dist'), { recursive: true, force: true });
for (const [folder, type, options] of [
  ['esm', 'module', ['--module', 'es2022', '--moduleResolution', 'bundler']],
  ['cjs', 'commonjs', ['--module', 'commonjs', '--moduleResolution', 'node10']],
]) {
  const output = join(root, 'dist', `${folder}`);
  // `npm run types` checks the types. Without a second and third check the files are the same, in half the time.
  const args = [compiler, '--project', root, '--outDir', output, '--noCheck', ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  // The compiler does not copy declaration files.
  cpSync(join(root, 'src', 'schema.d.ts'), join(output, 'schema.d.ts'));
  // Sets the module type of the `.js` files in this folder.
  writeFileSync(join(output, 'package.json'), `${JSON.stringify({ type })}\n`);
}
