import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import type { Organization } from './organization-query.ts';

const MOST_CHARACTERS = 20_000;

interface AddIssuerDialogProps {
  organization: Organization;
  onClose: () => void;
}

/** Chooses who makes the cards. Settings are secrets: the command takes them from standard input. */
export function AddIssuerDialog({ organization, onClose }: AddIssuerDialogProps) {
  const [kind, setKind] = useState('');
  const [category, setCategory] = useState('');
  const [lines, setLines] = useState('');
  const { organization_id } = organization;
  const settings = readSettings(lines);
  return (
    <ActDialog
      onClose={onClose}
      title={`Add an issuer for “${organization.name}”`}
      description="It makes the cards of new live gifts. An earlier issuer of the same category is replaced."
      action="Add issuer"
      readBy="organization"
      command={`bestow issuer add ${shellWord(kind.trim() || '…')} --org ${organization_id}${category.trim() === '' ? '' : ` --category ${shellWord(category.trim())}`} --secrets`}
      isIncomplete={kind.trim() === '' || settings === undefined}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations/{organization_id}/issuers', {
            params: { path: { organization_id } },
            body: { kind: kind.trim(), category: category.trim() || null, settings: settings ?? {}, reason },
          }),
        )
      }
      done={`“${kind.trim()}” makes the cards now.`}
    >
      <TextField
        label="Kind"
        hint="Such as codes, lithic or stripe. A wrong one is answered with the list."
        value={kind}
        onChange={setKind}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField
        label="Category"
        hint="Empty: all categories without an issuer of their own."
        value={category}
        onChange={setCategory}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        label="Settings"
        hint="One NAME=VALUE a line. They are kept encrypted, and no page shows them again."
        error={settings === undefined ? 'Each line must be NAME=VALUE.' : undefined}
        value={lines}
        onChange={setLines}
        most={MOST_CHARACTERS}
        rows={3}
      />
    </ActDialog>
  );
}

/** Reads `NAME=VALUE` lines; undefined if one has another form. */
function readSettings(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
