import { createHash, createPublicKey, verify } from 'node:crypto';

const relaxed = (line: string) => {
  const [, name = '', value = ''] = /^([^:]+):(.*)$/s.exec(line) ?? [];
  return `${name.trim().toLowerCase()}:${value
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`;
};

const relaxedBody = (body: string) => {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
};

/**
 * Verifies the DKIM signature of a mail after RFC 6376 (`relaxed/relaxed`, `rsa-sha256`).
 *
 * @param recordOf the TXT record of a name
 * @returns the signature's tags
 * @throws if the signature is missing or wrong
 */
export function verifyDkim(raw: string, recordOf: (name: string) => string): Record<string, string> {
  const at = raw.indexOf('\r\n\r\n');
  const headers = raw.slice(0, at).split(/\r\n(?![ \t])/);
  const signature = headers.find((line) => /^dkim-signature:/i.test(line));
  if (signature === undefined) throw new Error('The mail is not signed.');
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1));
  if (tags['c'] !== 'relaxed/relaxed' || tags['a'] !== 'rsa-sha256') throw new Error('Another method.');
  const hash = createHash('sha256')
    .update(relaxedBody(raw.slice(at + 4)))
    .digest('base64');
  if (hash !== tags['bh']) throw new Error('The body was changed.');
  const left = [...headers].reverse();
  const signed = (tags['h'] ?? '').split(':').flatMap((name) => {
    const index = left.findIndex((line) => line.toLowerCase().startsWith(`${name.trim().toLowerCase()}:`));
    return index < 0 ? [] : left.splice(index, 1).map(relaxed);
  });
  const own = relaxed(signature.replace(/(;\s*b=)[^;]*$/s, '$1'));
  const record = tagsOf(recordOf(`${tags['s']}._domainkey.${tags['d']}`));
  const key = createPublicKey({ key: Buffer.from(record['p'] ?? '', 'base64'), format: 'der', type: 'spki' });
  const text = Buffer.from([...signed, own].join('\r\n'));
  if (!verify('rsa-sha256', text, key, Buffer.from(tags['b'] ?? '', 'base64')))
    throw new Error('The signature is wrong.');
  return tags;
}

const tagsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .replaceAll(/\s/g, '')
      .split(';')
      .map((tag) => tag.split(/=(.*)/s))
      .map(([name = '', value = '']) => [name, value]),
  );
