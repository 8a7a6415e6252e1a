import type { Environment } from '../base/environment.ts';

/** What happened to a key, for the mail that tells every admin. */
export interface KeyNoticeDetails {
  organization_name: string;
  key_name: string;
  /** The prefix and the last four characters; never more of the key. */
  key_hint: string;
  environment: Environment;
  /** Who did it, as a person reads it: `ada@example.com`, `the operator (root)`. */
  by: string;
  /** The client's address, or the host where the command ran. */
  from: string;
  /** ISO 8601. */
  at: string;
}

/** What the service tells a person of an organization by mail: all kinds there are, and what each needs to say it. */
export type Notice =
  /** The code itself is sealed (`seal.ts`), so that a copy of the database signs nobody in. */
  | { kind: 'sign_in_code'; details: { sealed_code: string; expires_minutes: number } }
  | { kind: 'member_invited'; details: { organization_name: string; role: 'admin' | 'member'; by: string } }
  | { kind: 'key_created'; details: KeyNoticeDetails }
  | { kind: 'key_revoked'; details: KeyNoticeDetails }
  | {
      kind: 'balance_low';
      details: {
        organization_name: string;
        environment: Environment;
        balance_cents: number;
        threshold_cents: number;
      };
    };

export type NoticeKind = Notice['kind'];
