import type { ExpectedMail } from './expected-key-mails.ts';

export const expectedFinderMail: ExpectedMail = {
  notice: (service) => ({
    kind: 'finder_code',
    details: { sealed_code: service.service.deps.cipher.encrypt('482913'), expires_minutes: 10, channel: 'email' },
  }),
  subject: 'Your code to find your gifts',
  text: `Your code

Enter it on the page that asked for it to see your gifts. It works once, within 10 minutes.

482913

Do not share this code

Anyone with this code can open your gifts. Bestow never asks for it.

If you did not request a code, ignore this email. No one can see your gifts without the code.

You got this email because someone asked for the gifts that were sent to your address.
`,
};
