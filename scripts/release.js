// Builds a release into a directory, and publishes nothing: `node scripts/release.js DIRECTORY`. The archive has the
// committed files and the built portal; the image needs Docker or Podman. SHA256SUMS has a checksum of each file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const name = `bestow-${version}`;
const [given] = process.argv.slice(2);
if (given === undefined) fail('Name the directory of the release: node scripts/release.js DIRECTORY.');
const directory = resolve(given);

/** @returns {never} @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** @param {string} program @param {string[]} args */
function run(program, args, options = {}) {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
    ...options,
  });
  if (status !== 0) fail(`${program} ${args[0]} failed${error ? `: ${error.message}` : ''}.`);
  return stdout;
}

mkdirSync(directory, { recursive: true });
if (readdirSync(directory).length > 0) fail(`${directory} is not empty; give each release a new directory.`);
if (run('git', ['status', '--porcelain']) !== '')
  fail('Commit or remove all changes first: a release has committed files.');
buildArchive();
const engine = ['docker', 'podman'].find((program) => spawnSync(program, ['info'], { stdio: 'ignore' }).status === 0);
if (engine === undefined) process.stdout.write('No image: neither Docker nor Podman runs here.\n');
else buildImage(engine);
writeChecksums();
process.stdout.write(`${readdirSync(directory).join('\n')}\n`);

/** The same commit gives the same bytes. */
function buildArchive() {
  run('npm', ['run', 'setup']);
  const draft = mkdtempSync(join(tmpdir(), 'bestow-release-'));
  const files = join(draft, name);
  mkdirSync(files);
  run('tar', ['--extract', '--directory', files], { input: archiveOfCommit(), stdio: ['pipe', 'pipe', 2] });
  cpSync(join(root, 'portal/dist'), join(files, 'portal/dist'), { recursive: true });
  const time = run('git', ['log', '-1', '--format=%ct']).trim();
  const plain = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go=rX'];
  const archive = join(draft, `${name}.tar`);
  run('tar', ['--create', ...plain, '--file', archive, '--directory', draft, name]);
  run('gzip', ['--no-name', '-9', archive]);
  cpSync(`${archive}.gz`, join(directory, `${name}.tar.gz`));
  rmSync(draft, { recursive: true });
}

function archiveOfCommit() {
  const { status, stdout } = spawnSync('git', ['archive', '--format=tar', 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 });
  if (status !== 0) fail('git archive failed.');
  return stdout;
}

/** @param {string} program */
function buildImage(program) {
  run(program, ['build', '--tag', `bestow:${version}`, '.']);
  run(program, ['save', '--output', join(directory, `${name}.image.tar`), `bestow:${version}`]);
}

/** In the form of `sha256sum --check`. */
function writeChecksums() {
  const lines = readdirSync(directory)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(directory, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(directory, 'SHA256SUMS'), lines.join(''));
}
