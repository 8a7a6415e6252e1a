/** What npm's codes mean for a reader, in one sentence each. `path` is what npm names beside the code. */
const SENTENCES = [
  [
    /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)$/,
    (code) => `The packages cannot be downloaded, because npm's registry does not answer (${code}).`,
  ],
  [/^ENOSPC$/, () => 'The disk is full; the packages need 0.7 GB in node_modules, and 0.2 GB in the cache of npm.'],
  [/^(?:EACCES|EPERM|EROFS)$/, (code, path) => `This user may not write ${path ?? 'the packages'} (${code}).`],
  [/^EINTEGRITY$/, () => 'A downloaded package is not the one that package-lock.json names (EINTEGRITY).'],
];

/**
 * Says why npm failed, from what it wrote.
 *
 * @param {string} output of npm with `--loglevel=error`
 */
export function explainNpm(output) {
  const read = (name) => new RegExp(`^npm (?:error|ERR!) ${name} (.+)$`, 'm').exec(output)?.[1];
  const code = read('code') ?? '';
  const [, sentence] = SENTENCES.find(([pattern]) => pattern.test(code)) ?? [];
  return sentence ? sentence(code, read('path')) : 'The installation failed; see the output of npm above.';
}
