import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BESTOW } from '../installation.ts';
import { readSamples } from './samples.ts';
import { signIn } from './sign-in.ts';
import { type Run, timeProgram, timeRequest } from './time-work.ts';
import type { WorkedSide } from './worked-side.ts';
import { commands, files, LEFT_OUT, requests } from './works.ts';

/** Runs of a work that reads no whole list. */
const TIMES = 3;
/** A download, which reads all rows. */
const FILE = /\.csv$|\/(?:signed|pdf)$/;

interface OpenWork {
  work: string;
  times: number;
  run(): Promise<Run>;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The `GET` paths of a page's document, by the types that are made of it. */
const typedPages = (folder: string): string[] => {
  const [paths = ''] = read(`${folder}/schema.d.ts`).split('export interface webhooks');
  const parts = paths.split(/^ {4}"/m).filter((part) => /^ {8}get: /m.test(part));
  return parts.map((part) => part.slice(0, part.indexOf('"')));
};

/** The `GET` paths of `/v1`. */
const described = (): string[] => {
  const document: { paths: Record<string, object> } = JSON.parse(read('openapi.json'));
  return Object.entries(document.paths).flatMap(([path, operations]) => ('get' in operations ? [path] : []));
};

/** Every `GET` of the portal, the operator's page and `/v1`, without those left out. */
const pages = (): string[] =>
  [...typedPages('portal/src/api'), ...typedPages('portal/src/operator/api'), ...described()]
    .filter((page) => !LEFT_OUT.some((part) => page.includes(part)))
    .map((page) => `GET ${page}`);

/** Opens every work of a side's organization. */
export async function openWorks({
  installation,
  server,
  operatorPort,
  organization,
}: WorkedSide): Promise<{ works: OpenWork[]; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-works-'));
  const samples = await readSamples(installation.sql, organization);
  const cookie = await signIn(installation, server.url, samples['email'] ?? '');
  const csv = join(directory, 'ours.csv');
  await writeFile(csv, 'reference,amount\nours,1\n');
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'file') return join(directory, `${randomUUID()}.csv`);
      const value = name === 'csv' ? csv : samples[name];
      if (value === undefined) throw new Error(`There is no sample of ${name} for ${text}.`);
      return value;
    });
  const ask = (name: string, body?: object, accept = 'application/json') => {
    const [method = '', ...words] = name.split(' ');
    const path = fill(words.join(' '));
    const base = path.startsWith('/operator/') ? `http://127.0.0.1:${operatorPort}` : server.url;
    const headers: Record<string, string> = path.startsWith('/v1/')
      ? { authorization: `Bearer ${organization.key}`, accept }
      : { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: fill(JSON.stringify(body)) };
    return timeRequest(server.pid, `${base}${path.replaceAll(' ', '%20')}`, { method, headers, ...sent });
  };
  const works: OpenWork[] = [
    ...pages().map((work) => ({ work, times: FILE.test(work) ? 1 : TIMES, run: () => ask(work) })),
    ...requests.map(({ name, body, times = TIMES }) => ({
      work: body === undefined ? name : `${name} ${JSON.stringify(body)}`,
      times,
      run: () => ask(name, body),
    })),
    ...files.map((path) => ({ work: `CSV ${path}`, times: 1, run: () => ask(`GET ${path}`, undefined, 'text/csv') })),
    ...commands.map((work) => ({
      work: `bestow ${work}`,
      times: 1,
      run: () => timeProgram(process.execPath, [BESTOW, ...fill(work).split(' ')], installation.located),
    })),
  ];
  return { works, close: () => rm(directory, { recursive: true, force: true }) };
}
