import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ViewsDialog } from './gift-views-dialog.tsx';
import { useViews, type ViewSearch } from './gift-views-query.ts';

/** The person's saved views, as links. */
export function GiftViews() {
  const { params } = useScope();
  const views = useViews().data?.data ?? [];
  if (views.length === 0) return null;
  return (
    <nav aria-label="Saved views" className="print:hidden mb-4 flex flex-wrap gap-2">
      {views.map(({ name, search }) => (
        <Link
          key={name}
          to="/$organizationId/$environment/gifts"
          params={params}
          search={search}
          activeOptions={{ exact: true }}
          className="max-w-full truncate rounded-full border border-line px-3 py-1 text-sm hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-accent"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Opens the dialog that saves, renames and removes views. @param shown filters, order and columns of the page */
export function ManageViews({ shown }: { shown: ViewSearch }) {
  const [isOpen, setIsOpen] = useState(false);
  const views = useViews();
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Views …</Button>
      {isOpen && <ViewsDialog views={views.data?.data ?? []} shown={shown} onClose={() => setIsOpen(false)} />}
    </>
  );
}
