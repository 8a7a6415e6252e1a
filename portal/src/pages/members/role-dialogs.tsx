import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { isReading, type Permission } from '../../api/permissions.ts';
import type { RoleRow } from '../../api/roles.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { countOf } from '../../ui/formats.ts';
import { useAct } from '../../ui/use-act.ts';
import { NameField, nameFaultOf } from './name-field.tsx';

/** What an own role may include: only admins decide about members. */
type OwnPermission = Exclude<Permission, 'members'>;

const isOwn = (permission: Permission): permission is OwnPermission => permission !== 'members';

interface RoleDialogProps {
  /** Undefined: a new one. */
  role?: RoleRow;
  words: readonly { permission: Permission; says: string }[];
  onClose: () => void;
}

/** Creates an own role, or changes one for all who have it. */
export function RoleDialog({ role, words, onClose }: RoleDialogProps) {
  const [name, setName] = useState(role?.name ?? '');
  // Nearly every page is about gifts.
  const [chosen, setChosen] = useState<readonly OwnPermission[]>(
    role?.permissions.filter(isOwn) ?? ['gifts', 'others'],
  );
  const saving = useSaving(role, { name: name.trim(), permissions: [...chosen] }, onClose);
  const own = words.flatMap(({ permission, says }) => (isOwn(permission) ? [{ permission, says }] : []));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={role === undefined ? 'New role' : 'Change the role'}
      description={
        role === undefined || role.members === 0
          ? 'Members and roles stay with admins.'
          : `It counts at once for the ${countOf(role.members, 'member')} with this role.`
      }
    >
      <DialogForm
        onSubmit={() => saving.mutate()}
        onCancel={onClose}
        error={nameFaultOf(saving.error, name.trim()) === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action={role === undefined ? 'Create role' : 'Save'}
        isIncomplete={name.trim() === '' || chosen.length === 0}
      >
        <NameField value={name} onChange={setName} saving={saving} />
        {[true, false].map((reads) => (
          <PermissionFields
            key={String(reads)}
            legend={reads ? 'Sees' : 'Does'}
            words={own.filter(({ permission }) => isReading(permission) === reads)}
            chosen={chosen}
            onChange={setChosen}
          />
        ))}
      </DialogForm>
    </Dialog>
  );
}

interface PermissionFieldsProps {
  legend: string;
  words: readonly { permission: OwnPermission; says: string }[];
  chosen: readonly OwnPermission[];
  onChange: (chosen: readonly OwnPermission[]) => void;
}

const PermissionFields = ({ legend, words, chosen, onChange }: PermissionFieldsProps) => (
  <fieldset className="mt-5 min-w-0">
    <legend className="font-semibold">{legend}</legend>
    <div className="mt-1.5 grid gap-1.5">
      {words.map(({ permission, says }) => (
        <label key={permission} className="flex items-start gap-2.5">
          <input
            type="checkbox"
            checked={chosen.includes(permission)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, permission] : chosen.filter((one) => one !== permission))
            }
            className="mt-1 size-4 shrink-0 accent-(--accent)"
          />
          <span className="first-letter:uppercase">{says}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

interface RoleBody {
  name: string;
  permissions: OwnPermission[];
}

function useSaving(role: RoleRow | undefined, body: RoleBody, onClose: () => void) {
  const { organizationId } = useScope();
  const path = { organization_id: organizationId };
  return useAct({
    send: async () => {
      if (role === undefined) await unwrap(api.POST(`${ORGANIZATION_PATH}/roles`, { params: { path }, body }));
      else {
        const params = { path: { ...path, role_id: role.role } };
        await unwrap(api.PUT(`${ORGANIZATION_PATH}/roles/{role_id}`, { params, body }));
      }
    },
    done: role === undefined ? `Role ${body.name} created.` : `Role ${body.name} saved.`,
    onDone: onClose,
  });
}

/** Asks before a role is removed. The server refuses while members have it. */
export function RemoveRoleDialog({ role: { role, name }, onClose }: { role: RoleRow; onClose: () => void }) {
  const { organizationId } = useScope();
  const removal = useAct({
    send: () =>
      unwrap(
        api.DELETE(`${ORGANIZATION_PATH}/roles/{role_id}`, {
          params: { path: { organization_id: organizationId, role_id: role } },
        }),
      ),
    done: `Role ${name} removed.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove the role “${name}”?`}
      description="It can be removed if no member has it."
      action="Remove role"
      isDanger
      act={removal}
    />
  );
}
