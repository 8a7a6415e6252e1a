// `npm run build:sdks [-- FOLDER]`: builds the clients as they are installed, into dist/sdks or a folder: npm's package, the
// wheel and source distribution of Python, and the module of Go as its proxies serve it, with changelogs and SHA256SUMS, and Airbyte's manifest.
// The build of the portal runs it too, and the service serves the folder at /sdk/. It needs Node only, neither Python nor Go,
// and the same sources give the same bytes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const sdk = join(root, 'sdk');
/** In a production installation the portal's workspace has the tools of the build. */
const fromPortal = createRequire(join(root, 'portal/package.json'));
const load = (name) => import(pathToFileURL(fromPortal.resolve(name)).href);

/** The first moment that a zip archive can tell. */
const ZIP_TIME = new Date(1980, 0, 1);
const GO_MODULE = 'bestow.example/bestow';
/** Files of a client, without what tests and tools leave behind. */
const filesOf = (folder, patterns) =>
  globSync(patterns, { cwd: folder, exclude: (name) => /^(__pycache__|\..+)$/.test(name) }).sort();
const hashOf = (content, encoding) => createHash('sha256').update(content).digest(encoding);

/** @param folder is emptied; it gets `sdk.tgz`'s versioned name and all others */
async function buildSdks(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  packTypescript(folder);
  await packPython(folder);
  await packGo(folder);
  for (const [language, from] of [
    ['typescript', sdk],
    ['python', join(sdk, 'python')],
    ['go', join(sdk, 'go')],
  ])
    writeFileSync(join(folder, `CHANGELOG-${language}.md`), readFileSync(join(from, 'CHANGELOG.md')));
  writeFileSync(join(folder, 'airbyte.yaml'), readFileSync(join(sdk, 'airbyte/manifest.yaml')));
  const names = filesOf(folder, '**/*.*').filter((name) => /\.(tgz|whl|gz|zip)$/.test(name));
  const sums = names.map((name) => `${hashOf(readFileSync(join(folder, name)), 'hex')}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function packTypescript(folder) {
  // npm would run the packing's own scripts, which install the tools of development.
  run(process.execPath, [join(sdk, 'build.js')]);
  run('npm', ['pack', sdk, '--ignore-scripts', '--silent', '--pack-destination', folder]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed.`, { cause: error });
}

const archived = async (entries) => {
  const { zipSync } = await load('fflate');
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: ZIP_TIME });
};

async function packPython(folder) {
  const from = join(sdk, 'python');
  const { parse } = await load('smol-toml');
  const { project } = parse(readFileSync(join(from, 'pyproject.toml'), 'utf8'));
  const name = project.name.replaceAll('-', '_');
  const label = `${name}-${project.version}`;
  const metadata = metadataOf(project, readFileSync(join(from, project.readme), 'utf8'));
  const read = (path) => readFileSync(join(from, path));
  const modules = filesOf(from, 'src/**/*.{py,json,typed}');
  writeFileSync(join(folder, `${label}-py3-none-any.whl`), await wheelOf(label, metadata, modules, read));
  const sources = [...modules, 'CHANGELOG.md', 'README.md', 'pyproject.toml'].map((path) => [path, read(path)]);
  const { createTar } = await load('nanotar');
  const attrs = { mode: '644', uid: 0, gid: 0, mtime: 0 };
  const items = [...sources, ['PKG-INFO', Buffer.from(metadata)]].map(([path, data]) => ({
    name: `${label}/${path}`,
    data,
  }));
  writeFileSync(join(folder, `${label}.tar.gz`), gzipSync(createTar(items, { attrs }), { level: 9 }));
}

/** Core metadata 2.4 of a package. */
function metadataOf(project, readme) {
  const { 'optional-dependencies': extras = {}, 'requires-python': python } = project;
  return [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${project.license}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${python}`,
    ...project.dependencies.map((one) => `Requires-Dist: ${one}`),
    ...Object.entries(extras).flatMap(([extra, needs]) => [
      `Provides-Extra: ${extra}`,
      ...needs.map((one) => `Requires-Dist: ${one}; extra == '${extra}'`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n');
}

/** A wheel 1.0: the modules, and what an installer needs to know of them. */
async function wheelOf(label, metadata, modules, read) {
  const about = `${label}.dist-info`;
  const entries = [
    ...modules.map((path) => [path.replace('src/', ''), read(path)]),
    [`${about}/METADATA`, Buffer.from(metadata)],
    [
      `${about}/WHEEL`,
      Buffer.from('Wheel-Version: 1.0\nGenerator: bestow\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    ],
  ];
  const records = entries.map(([path, data]) => `${path},sha256=${hashOf(data, 'base64url')},${data.length}\n`);
  return archived([...entries, [`${about}/RECORD`, Buffer.from(`${records.join('')}${about}/RECORD,,\n`)]]);
}

/** The files that a proxy of Go serves for one version. */
async function packGo(folder) {
  const from = join(sdk, 'go');
  const [, version] = /^## (\d+\.\d+\.\d+)$/m.exec(readFileSync(join(from, 'CHANGELOG.md'), 'utf8')) ?? [];
  const label = `v${version}`;
  const entries = filesOf(from, '**/*.*').map((path) => [
    `${GO_MODULE}@${label}/${path}`,
    readFileSync(join(from, path)),
  ]);
  const place = join(folder, 'go', GO_MODULE, '@v');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${label}.zip`), await archived(entries));
  writeFileSync(join(place, `${label}.mod`), readFileSync(join(from, 'go.mod')));
  writeFileSync(join(place, `${label}.info`), `{"Version":"${label}"}\n`);
  writeFileSync(join(place, 'list'), `${label}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(root, 'dist/sdks');
  await buildSdks(folder);
  process.stdout.write(`${readFileSync(join(folder, 'SHA256SUMS'), 'utf8')}`);
}
