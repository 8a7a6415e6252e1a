import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Encodes one ASN.1 DER element: tag, length, contents. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents);
const hex = (text: string) => Buffer.from(text, 'hex');
const SHA256_WITH_RSA = sequence(der(0x06, hex('2a864886f70d01010b')), der(0x05));

/** Makes a key pair and its self-signed X.509 certificate, which Node has no function for. */
export function createCertificate(commonName: string): { privateKey: KeyObject; pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const name = sequence(der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(der(0x17, Buffer.from('260101000000Z')), der(0x17, Buffer.from('360101000000Z')));
  const version3 = der(0xa0, der(0x02, hex('02')));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(version3, der(0x02, hex('01')), SHA256_WITH_RSA, name, validity, name, key);
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey));
  const base64 = sequence(body, SHA256_WITH_RSA, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    privateKey,
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
