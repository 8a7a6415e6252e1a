import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import type { Category } from './category.ts';

const MOST_CHARACTERS = 1_000;

export function AddCategoryDialog({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  return (
    <ActDialog
      onClose={onClose}
      title="Add a category"
      description="All organizations can order it at once."
      action="Add category"
      readBy="operators"
      command={`bestow catalog add ${shellWord(id.trim() || '…')} --name ${shellWord(name.trim() || '…')} --description ${shellWord(description.trim() || '…')}`}
      isIncomplete={[id, name, description].some((text) => text.trim() === '')}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/catalog', {
            body: {
              category_id: id.trim(),
              name: name.trim(),
              description: description.trim(),
              artwork: null,
              reason,
            },
          }),
        )
      }
      done={`Added “${name.trim()}”.`}
    >
      <TextField
        label="ID"
        hint="Lowercase letters, digits and dashes, such as coffee-tea. It cannot be changed later."
        value={id}
        onChange={setId}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <NameFields name={name} setName={setName} description={description} setDescription={setDescription} />
    </ActDialog>
  );
}

export function EditCategoryDialog({ category, onClose }: { category: Category; onClose: () => void }) {
  const [name, setName] = useState(category.name);
  const [description, setDescription] = useState(category.description);
  const [position, setPosition] = useState(String(category.position));
  const { category_id } = category;
  const place = /^\d{1,6}$/.test(position.trim()) ? Number(position) : undefined;
  return (
    <ActDialog
      onClose={onClose}
      title={`Change “${category.name}”`}
      description="Recipients read the name and the description. Lists are sorted by the position."
      action="Change category"
      readBy="operators"
      command={`bestow catalog update ${category_id} --name ${shellWord(name.trim() || '…')} --position ${place ?? '…'}`}
      isIncomplete={name.trim() === '' || description.trim() === '' || place === undefined}
      send={(reason) =>
        unwrap(
          operatorApi.PATCH('/operator/api/catalog/{category_id}', {
            params: { path: { category_id } },
            body: {
              name: name.trim(),
              description: description.trim(),
              ...(place !== undefined && { position: place }),
              reason,
            },
          }),
        )
      }
      done={`Changed “${name.trim()}”.`}
    >
      <NameFields name={name} setName={setName} description={description} setDescription={setDescription} />
      <TextField label="Position" value={position} onChange={setPosition} inputMode="numeric" autoComplete="off" />
    </ActDialog>
  );
}

interface NameFieldsProps {
  name: string;
  setName: (name: string) => void;
  description: string;
  setDescription: (description: string) => void;
}

const NameFields = ({ name, setName, description, setDescription }: NameFieldsProps) => (
  <>
    <TextField label="Name" value={name} onChange={setName} maxLength={200} autoComplete="off" required />
    <TextArea
      label="Description"
      hint="A sentence or two on its public page."
      error={undefined}
      value={description}
      onChange={setDescription}
      most={MOST_CHARACTERS}
      rows={3}
    />
  </>
);
