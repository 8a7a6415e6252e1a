import { type OpenedFile, openText } from 'bestow-readers/read-file.ts';
import { type DragEvent, useId, useState } from 'react';
import { openFileAside } from '../../base/read-file-aside.ts';
import { NO_ROOM, useDraft } from '../../layout/drafts.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, inputClass } from '../../ui/field.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';
import type { HeadingMeaning } from './heading-names.ts';
import type { Headings } from './match-columns.ts';

export interface NamedFile {
  name: string;
  /** Undefined for pasted rows. */
  bytes: Uint8Array | undefined;
}

interface FileDropProps {
  headings: Pick<Headings<HeadingMeaning>, 'known' | 'isKnown'>;
  /** A file that people can begin with. */
  template: { name: string; text: string };
  description: string;
  /** Where the tab keeps pasted rows that are not used yet. */
  storageKey: string;
  onOpen: (file: NamedFile, opened: OpenedFile) => void;
}

const restoreText = (stored: unknown) => (typeof stored === 'string' ? stored : undefined);

/** Takes a file that is dropped or chosen, or rows that are pasted. */
export function FileDrop({ headings, template, description, storageKey, onOpen }: FileDropProps) {
  const id = useId();
  const text = useDraft(`${storageKey}.text`, () => '', restoreText);
  const read = useAct({
    isRead: true,
    send: async (from: File | string): Promise<[NamedFile, OpenedFile]> => {
      if (typeof from === 'string')
        return [{ name: 'Pasted rows', bytes: undefined }, openText(from, headings.isKnown)];
      const bytes = new Uint8Array(await from.arrayBuffer());
      const name = from.name.trim().slice(0, 200) || 'A file';
      return [{ name, bytes }, await openFileAside(bytes, headings.known)];
    },
  });
  const open = (from: File | string) =>
    read.mutate(from, {
      onSuccess: (opened) => {
        text.restart('');
        onOpen(...opened);
      },
    });
  return (
    <Panel
      title="Choose a file"
      description={description}
      actions={
        <Button size="small" onClick={() => download(template.name, template.text)}>
          <DownloadIcon /> Template
        </Button>
      }
    >
      <DropZone id={id} isReading={read.isPending} onFile={open} />
      <form
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault();
          open(text.value);
        }}
      >
        <label htmlFor={`${id}-text`} className="mb-1 block font-semibold">
          Or paste rows
        </label>
        <textarea
          id={`${id}-text`}
          rows={4}
          value={text.value}
          onChange={({ target }) => text.set(target.value)}
          spellCheck={false}
          placeholder={template.text.split('\n').slice(0, 2).join('\n')}
          className={`${inputClass} block resize-y font-mono text-sm whitespace-pre`}
        />
        {!text.isKept && <p className="mt-2 text-sm text-soft">{NO_ROOM}</p>}
        <FormError error={read.error} />
        <div className="mt-4">
          <Button type="submit" disabled={text.value.trim() === ''} isBusy={read.isPending}>
            Use pasted rows
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function DropZone({ id, isReading, onFile }: { id: string; isReading: boolean; onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const take = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={take}
      className={`grid cursor-pointer justify-items-center gap-1 rounded-2xl border-2 border-dashed px-4 py-10 text-center transition-colors focus-within:border-accent ${isOver ? 'border-accent bg-accent-wash' : 'border-line-strong hover:border-accent'}`}
    >
      <span className="font-serif text-lg font-semibold">Drop a CSV or XLSX file here</span>
      <span role="status" className="text-soft">
        {isReading ? 'Reading…' : 'or tap to choose one'}
      </span>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.xlsm"
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          target.value = '';
        }}
      />
    </label>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
