import type { Nothing } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of sandboxes. */
interface SandboxActions {
  'sandbox.created': Nothing;
}

export const sandboxSentences: Sentences<SandboxActions> = {
  'sandbox.created': () => 'Created the sandbox',
};

export const recordEvent: RecordEvent<SandboxActions> = recordAction;
