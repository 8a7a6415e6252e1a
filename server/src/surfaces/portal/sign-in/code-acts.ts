import { createHash } from 'node:crypto';
import { allAnswer } from '../../../platform/database/all-answer.ts';
import { RateLimiter } from '../../../platform/rate-limits/rate-limit.ts';
import { limitAttempts } from '../limit-attempts.ts';
import { alertSignIn } from './alert-sign-in.ts';
import type { CodeActs } from './email-codes.ts';
import { insertFlow, rememberDevice } from './flow-queries.ts';
import { recordPersonEvent } from './person-events.ts';
import { sendCode } from './send-code.ts';
import type { SignInDeps } from './sign-in.ts';
import { isKnownDevice, tryCode } from './try-code.ts';

/** For each address, and separately for each browser that its owner used: a burst of five, then one in two minutes. */
const CODE_MAILS = { perSecond: 1 / 120, burst: 5 };

/** What the sign-in with a code does in the database. */
export function createCodeActs(deps: SignInDeps): CodeActs {
  const { log, database, clock } = deps;
  const mails = new RateLimiter('code-mails', CODE_MAILS, clock);
  return {
    async start({ email, code, codeHash, flowHash, deviceHash }) {
      const device = (await isKnownDevice(deps, { email, deviceHash })) ? deviceHash?.toString('hex') : '';
      const bucket = createHash('sha256').update(`${email} ${device}`).digest('hex');
      limitAttempts(mails, bucket, (wait) => `Too many codes were sent to this address. Try again in ${wait}.`);
      await insertFlow(database.home, [flowHash, email, codeHash, new Date(clock.now())]);
      // Not awaited: the time of the answer must not reveal whether the address is known.
      sendCode(deps, email, code).catch((error: unknown) =>
        log.error({ err: error }, 'Could not send a sign-in code.'),
      );
      // The same for every address, also known ones.
      return await allAnswer(database);
    },
    tryCode: (entered) => tryCode(deps, entered),
    async remember({ id, email }, deviceHash, address) {
      const [used] = await rememberDevice(database.home, [deviceHash, id, new Date(clock.now())]);
      const event = used?.is_surprising ? 'signed_in_new_device' : 'signed_in';
      await recordPersonEvent(deps, { email, event, address });
      if (!used?.is_surprising) return;
      await alertSignIn(deps, email, 'device_added').catch((error: unknown) =>
        log.error({ err: error }, 'Could not mail admins about a new device.'),
      );
    },
  };
}
