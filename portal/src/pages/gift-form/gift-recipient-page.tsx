import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';

const LABEL = 'Open the recipient’s page';

/** Opens the page of a gift of the sandbox, whose message no one gets. Asks for the link only once pressed: it is audited. */
export function RecipientPageButton({ giftId }: { giftId: string }) {
  const { path } = useScope();
  const link = useAct({
    send: () =>
      unwrap(api.GET(`${SCOPE_PATH}/gifts/{gift_id}/link`, { params: { path: { ...path, gift_id: giftId } } })),
    onDone: (shown) => void window.open(shown.link, '_blank', 'noopener,noreferrer'),
  });
  return (
    <>
      {link.data === undefined ? (
        <Button onClick={() => link.mutate()} isBusy={link.isPending}>
          {LABEL}
        </Button>
      ) : (
        // The browser may have blocked the new tab, but never a link that is followed.
        <a href={link.data.link} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          {LABEL}
        </a>
      )}
      <FormError error={link.error} />
    </>
  );
}
