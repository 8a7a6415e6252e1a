import type { Sheet } from 'bestow-readers/table.ts';
import { useState } from 'react';
import { useMaySend, useTags } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, SelectField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';
import { readContactSheet } from './contact-sheet.ts';

/** Takes the contacts with a tag, or all, instead of a file. */
export function ContactSource({ onOpen }: { onOpen: (name: string, sheet: Sheet) => void }) {
  const { path } = useScope();
  const maySend = useMaySend();
  const tags = useTags();
  const [tag, setTag] = useState('');
  const [read, setRead] = useState(0);
  const reading = useAct({
    isRead: true,
    send: () => readContactSheet(path, tag || undefined, setRead),
    onDone: (sheet) => onOpen(tag === '' ? 'All contacts' : `Contacts with the tag “${tag}”`, sheet),
  });
  if (!maySend) return null;
  return (
    <Panel title="Or send to contacts" description="The rows are the contacts as they are now, each with its language.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reading.mutate();
        }}
      >
        <SelectField
          label="Contacts"
          value={tag}
          onChange={setTag}
          options={[
            { value: '', label: 'All contacts' },
            ...tags.map((one) => ({
              value: one.tag,
              label: `Everyone with the tag ${one.tag} (${formatCount(one.contacts)})`,
            })),
          ]}
        />
        <FormError error={reading.error} />
        <div className="mt-4">
          <Button type="submit" isBusy={reading.isPending}>
            {reading.isPending ? `Reading… ${formatCount(read)}` : 'Use these contacts'}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
