import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../platform/authentication/caller.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { openStatement, writeStatement } from './ledger-statement.ts';

/** Node's code if the reader disconnects. */
const READER_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Answers with the signed statement of a month; closes the connection early if entries disappear, so that no statement is
 * short.
 *
 * @throws BestowError as `openStatement`
 */
export async function sendStatement(
  deps: CheckpointDeps,
  caller: Caller,
  month: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const stream = Readable.from(writeStatement(await openStatement(deps, caller, month)));
  stream.on('error', (error) => {
    if (errorCode(error) !== READER_GONE)
      deps.log.error({ err: error, request_id: reply.request.requestId }, 'A statement ended early.');
  });
  return reply
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="statement-${caller.environment}-${month}.json"`)
    .send(stream);
}
