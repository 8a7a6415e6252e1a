import { createCertificate } from '../../../server/test/harness/certificate.ts';

interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** What a mail server on `localhost` can show: only the first is right. */
export interface Certificates {
  own: KeyAndCertificate;
  /** Of a signer whom nobody trusts. */
  unknown: KeyAndCertificate;
  /** Trusted, and in another server's name. */
  other: KeyAndCertificate;
  /** What the one who sends should trust, as PEM. */
  trusted: string[];
}

export function createCertificates(): Certificates {
  const create = (name: string): KeyAndCertificate => {
    const { privateKey, pem } = createCertificate(name);
    return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem };
  };
  const [own, unknown, other] = [create('localhost'), create('localhost'), create('elsewhere.example')];
  return { own, unknown, other, trusted: [own.cert, other.cert] };
}
