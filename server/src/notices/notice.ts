import type { Environment } from '../base/environment.ts';

/** A created or revoked key, for the mail to every admin. */
export interface KeyNoticeDetails {
  organization_name: string;
  key_name: string;
  /** The prefix and the last four characters. */
  key_hint: string;
  environment: Environment;
  /** Such as `ada@example.com` or `the operator (root)`. */
  by: string;
  /** The client's IP address, or the host of the command. */
  from: string;
  /** ISO 8601. */
  at: string;
}

/** Every kind of mail to a member, with its data. */
export type Notice =
  /** The code is sealed (`seal.ts`), so that a copy of the database does not reveal it. */
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
