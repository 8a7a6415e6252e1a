import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiredLinks } from '../faults/other-faults.ts';
import { strangeErrors, unexplainedAnswers } from '../faults/strange-errors.ts';
import { createRecorder, type OperationName, type Outcome, type Recorder } from '../record/recorder.ts';

function recordOf(...calls: [OperationName, Outcome][]): Recorder {
  const recorder = createRecorder();
  const organization = { organizationId: 'org_1', environment: 'live' } as const;
  for (const [operation, outcome] of calls)
    recorder.add({ ...organization, operation, startedAtMs: 1, endedAtMs: 2, outcome });
  return recorder;
}

const ok: Outcome = { kind: 'ok', status: 200, answer: {} };
const failed = (status: number, code: string): Outcome => ({ kind: 'failed', status, code, answer: null });
const locked = failed(409, 'resource_locked');

test('an error without a reason is reported, and one that allows a retry is not', () => {
  const recorder = recordOf(
    ['placeOrder', ok],
    ['placeOrder', locked],
    ['retrieveGift', failed(404, 'resource_missing')],
  );
  assert.deepEqual(strangeErrors(recorder), ['retrieveGift was answered with resource_missing for no reason.']);
});

test('internal errors and missing answers are reported in an unbroken run', () => {
  const fine = [
    ['placeOrder', ok],
    ['placeOrder', locked],
  ] as [OperationName, Outcome][];
  assert.deepEqual(unexplainedAnswers(recordOf(...fine)), []);
  const lost: Outcome = { kind: 'unknown', reason: 'ECONNRESET' };
  const broken = recordOf(
    ...fine,
    ['placeOrder', failed(500, 'internal_error')],
    ['listGifts', lost],
    ['listGifts', lost],
  );
  assert.deepEqual(unexplainedAnswers(broken), [
    'placeOrder was answered with internal_error, 1 times.',
    'listGifts had no answer (ECONNRESET), 2 times.',
  ]);
});

test('a link that expired early is reported', () => {
  assert.deepEqual(expiredLinks(recordOf(['openPage', ok])), []);
  assert.equal(expiredLinks(recordOf(['openPage', failed(410, 'page_410')])).length, 1);
});
