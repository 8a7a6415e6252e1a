import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_FOLLOWS = 0x40;
/** CBOR of `{ fmt: "none", attStmt: {}, authData: bytes }` and an ES256 key (COSE), without the parts that vary. */
const ATTESTATION = 'a363666d74646e6f6e656761747453746d74a068617574684461746158';
const COSE_KEY = { beforeX: 'a5010203262001215820', beforeY: '225820' };

/**
 * A security key in software (WebAuthn level 2, 6.1), for cases that a browser prevents.
 *
 * @param origin of the portal, whose name is `localhost`
 */
export function createPasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = Buffer.concat([
    Buffer.from(COSE_KEY.beforeX, 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from(COSE_KEY.beforeY, 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');

  const authenticatorData = (flags: number, rest = Buffer.alloc(0)) =>
    Buffer.concat([sha256('localhost'), Buffer.from([flags, 0, 0, 0, 0]), rest]);
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answer = (response: Record<string, Buffer>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  });
  const flagsOf = (isVerified: boolean) => USER_PRESENT | (isVerified ? USER_VERIFIED : 0);

  return {
    /** @param isVerified true if the key verified its user */
    register(challenge: string, isVerified: boolean) {
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseKey,
      ]);
      const data = authenticatorData(flagsOf(isVerified) | CREDENTIAL_FOLLOWS, credential);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge),
        attestationObject: Buffer.concat([Buffer.from(ATTESTATION, 'hex'), Buffer.from([data.length]), data]),
      });
    },
    signIn(challenge: string, isVerified: boolean) {
      const clientDataJSON = clientData('webauthn.get', challenge);
      const data = authenticatorData(flagsOf(isVerified));
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey);
      return answer({ clientDataJSON, authenticatorData: data, signature });
    },
  };
}
