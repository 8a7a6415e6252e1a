import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `index.html`: every picture of the directory small, and whole behind a link. */
export async function writeContactSheet(directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.png')).sort();
  const pictures = files.map(
    (name) =>
      `<figure><a href="${name}"><img src="${name}" alt="" loading="lazy"></a><figcaption>${name.slice(0, -4)}</figcaption></figure>`,
  );
  const style =
    'body{margin:1rem;background:#888;font:12px sans-serif;display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:15rem}img{width:100%;height:22rem;object-fit:cover;object-position:top}';
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${files.length} pictures</title><style>${style}</style>`;
  await writeFile(join(directory, 'index.html'), `${head}\n${pictures.join('\n')}\n`);
}
