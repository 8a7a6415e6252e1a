import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of templates. */
interface TemplateActions {
  'gift_template.added': { name: string };
  'gift_template.changed': { name: string };
  'gift_template.removed': { name: string };
}

export const templateSentences: Sentences<TemplateActions> = {
  'gift_template.added': ({ name }) => `Added the gift template “${name}”`,
  'gift_template.changed': ({ name }) => `Changed the gift template “${name}”`,
  'gift_template.removed': ({ name }) => `Deleted the gift template “${name}”`,
};

export const recordEvent: RecordEvent<TemplateActions> = recordAction;
