import { randomUUID } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { findEndpoint } from './find-endpoint.ts';
import { secretsOf } from './push-item.ts';
import { type PushBody, TEST_TYPE } from './push-schema.ts';
import type { Answer, Sender } from './send-push.ts';

/**
 * Pushes an event of the type `webhook.test` once, which is not in the feed, and returns the answer.
 *
 * @throws BestowError `resource_missing`; as `requireAdmitted`; `internal_error` if the secret cannot be read
 */
export async function testEndpoint(
  { clock, database, cipher }: Pick<Deps, 'clock' | 'database' | 'cipher'>,
  sender: Sender,
  caller: Caller,
  endpointId: string,
): Promise<Answer> {
  const { url, ...sealed } = await findEndpoint(database.read, caller, endpointId);
  const secrets = secretsOf(cipher, sealed, clock.now());
  if (secrets.length === 0)
    throw new BestowError('internal_error', { message: 'The endpoint’s secret cannot be read. Rotate it.' });
  const id = encodeId('evt', randomUUID());
  const timestamp = new Date(clock.now());
  const body: PushBody = {
    type: TEST_TYPE,
    timestamp,
    data: {},
    event_id: id,
    sequence: null,
    previous_sequence: null,
  };
  const answer = await sender.send({ url, id, body: JSON.stringify(body), secrets });
  if (answer === undefined) throw new BestowError('internal_error');
  return answer;
}
