import { useId } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { servicePath } from '../../base/address.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';
import { type Brand, brandQuery } from './brand-draft.ts';

const MAX_FILE_BYTES = 750_000;
/** Of one call of `String.fromCharCode`. */
const CHUNK = 32_768;

/** The logo, and the file that replaces it. */
export function LogoSettings({ logo }: Pick<Brand, 'logo'>) {
  const { may } = useScope();
  const save = useSaveLogo();
  const id = useId();
  return (
    <Panel
      title="Logo"
      description="PNG, JPEG or WebP, at most 750 kB. It is shown up to 200 × 56 pixels large, and saved as soon as you choose it."
    >
      {logo === null ? (
        <p className="text-soft">No logo: recipients see the name Bestow.</p>
      ) : (
        <p className="flex min-h-24 items-center justify-center rounded-xl bg-sunken p-4">
          <img
            src={servicePath + logo.path}
            width={logo.width}
            height={logo.height}
            alt="Your logo"
            className="h-auto max-h-14 w-auto max-w-50 rounded-lg"
          />
        </p>
      )}
      {may('settings') && (
        <p className="mt-4 flex flex-wrap gap-2">
          <label
            htmlFor={id}
            className={`${buttonClass()} cursor-pointer focus-within:outline-3 focus-within:outline-offset-3 focus-within:outline-accent`}
          >
            {save.isPending ? 'Uploading…' : logo === null ? 'Choose a file' : 'Replace'}
            <input
              id={id}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              className="sr-only"
              disabled={save.isPending}
              onChange={({ target }) => {
                const file = target.files?.[0];
                if (file !== undefined) save.mutate(file);
                // So that the same file can be chosen again.
                target.value = '';
              }}
            />
          </label>
          {logo !== null && (
            <Button variant="quiet" onClick={() => save.mutate(null)} isBusy={save.isPending}>
              Remove
            </Button>
          )}
        </p>
      )}
      <FormError error={save.error} />
    </Panel>
  );
}

function useSaveLogo() {
  const { organizationId } = useScope();
  return useAct({
    send: async (file: File | null) => {
      if (file !== null && file.size > MAX_FILE_BYTES) throw new Error('The logo must have at most 750 kB.');
      const body = { file: file === null ? null : base64(new Uint8Array(await file.arrayBuffer())) };
      return unwrap(
        api.PUT(`${ORGANIZATION_PATH}/brand/logo`, { params: { path: { organization_id: organizationId } }, body }),
      );
    },
    shows: brandQuery(organizationId).queryKey,
    done: (saved) => (saved.logo === null ? 'The logo is removed.' : 'The logo is saved.'),
  });
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
