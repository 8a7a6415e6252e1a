import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Finding } from './judge.ts';

const TOOLS = fileURLToPath(new URL('../tools', import.meta.url));

/** What is used of `@stoplight/spectral-core` and its neighbours, which have no place among this project's packages. */
interface Core {
  Spectral: new () => {
    setRuleset(rules: unknown): void;
    run(document: unknown): Promise<{ code: string | number; path: (string | number)[]; message: string }[]>;
  };
  Document: new (text: string, parser: unknown) => unknown;
}

/** Spectral with the OWASP rule set; its packages are installed beside the project's where they are not there yet. */
export async function lintWithSpectral(document: string): Promise<Finding[]> {
  if (!existsSync(`${TOOLS}/node_modules/@stoplight/spectral-core`)) {
    const { status } = spawnSync('npm', ['ci', '--prefix', TOOLS], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`Spectral could not be installed: npm ci ended with ${status}.`);
  }
  const require = createRequire(`${TOOLS}/package.json`);
  const { Spectral, Document } = require('@stoplight/spectral-core') as Core;
  const { Json } = require('@stoplight/spectral-parsers') as { Json: unknown };
  const rules = require('@stoplight/spectral-owasp-ruleset') as { default?: unknown };
  const spectral = new Spectral();
  spectral.setRuleset(rules.default ?? rules);
  const findings = await spectral.run(new Document(document, Json));
  return findings.map(({ code, path, message }) => ({ rule: String(code), where: path.join('/'), message }));
}
