import type { Notice } from '../../../src/core/notices/notice.ts';
import { keyDetails } from '../../harness/notices.ts';
import type { TestService } from '../../harness/test-service.ts';

export interface ExpectedMail {
  notice: (service: TestService) => Notice;
  subject: string;
  text: string;
}

/** The mails about API keys. */
export const expectedKeyMails: Record<'key_created' | 'key_rolled' | 'key_revoked', ExpectedMail> = {
  key_created: {
    notice: () => ({ kind: 'key_created', details: keyDetails }),
    subject: 'An API key of Acme was created',
    text: `An API key was created

Anyone with this key can order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: grace@acme.example
From: 203.0.113.9
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Revoke the key in the portal immediately. It stops working with the next request.

Then check the audit log for other changes.

You got this email because you are an admin of Acme.
`,
  },
  key_rolled: {
    notice: () => ({
      kind: 'key_rolled',
      details: {
        ...keyDetails,
        expires_at: '2027-01-31T00:00:00.000Z',
        networks: ['192.0.2.0/24', '2001:db8::/32'],
        replaced_hint: 'bestow-live-…c3d4',
        replaced_until: '2026-11-22T12:00:00.000Z',
      },
    }),
    subject: 'An API key of Acme was replaced',
    text: `An API key was replaced

Anyone with the new key can order gifts for Acme. The earlier key stops working soon.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
Expires: 31 January 2027 at 00:00 UTC
Networks: 192.0.2.0/24, 2001:db8::/32
Earlier key: bestow-live-…c3d4
It works until: 22 November 2026 at 12:00 UTC
By: grace@acme.example
From: 203.0.113.9
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Revoke both keys in the portal immediately. They stop working with the next request.

Then check the audit log for other changes.

You got this email because you are an admin of Acme.
`,
  },
  key_revoked: {
    notice: () => ({ kind: 'key_revoked', details: { ...keyDetails, by: 'the operator (root)', from: 'ops-1' } }),
    subject: 'An API key of Acme was revoked',
    text: `An API key was revoked

This key can no longer be used to order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: the operator (root)
From: ops-1
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Programs that use this key are now refused. You cannot restore a key: create a new one in the portal.

Then check the audit log for other changes.

You got this email because you are an admin of Acme.
`,
  },
};
