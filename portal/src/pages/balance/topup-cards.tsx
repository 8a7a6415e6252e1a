import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';

type Card = components['schemas']['SavedCard'];

/** The saved cards of the organization. */
export const useCards = () => {
  const { organizationId } = useScope();
  return useQuery({
    queryKey: ['cards', organizationId],
    queryFn: () =>
      unwrap(
        api.GET(`${ORGANIZATION_PATH}/live/topups/cards`, { params: { path: { organization_id: organizationId } } }),
      ),
  });
};

/** Shows, adds and removes saved cards. */
export function CardsPanel() {
  const { organizationId, may } = useScope();
  const [removed, setRemoved] = useState<Card>();
  const cards = useCards();
  const addition = useAct({
    send: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/live/topups/cards`, { params: { path: { organization_id: organizationId } } }),
      ),
    onDone: ({ url }) => window.location.assign(url),
  });
  return (
    <Panel
      title="Saved cards"
      description="Stripe keeps them; a card that paid for a top-up is saved too."
      actions={
        may('pay') && (
          <Button size="small" onClick={() => addition.mutate()} isBusy={addition.isPending}>
            Add a card
          </Button>
        )
      }
    >
      <FormError error={addition.error} />
      <Loaded query={cards} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No cards yet" />
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {data.map((card) => (
                <li key={card.payment_method_id} className="flex items-center justify-between gap-4 py-3">
                  <span>
                    <span className="font-semibold capitalize">{card.card}</span>
                    <span className="mt-0.5 block text-sm text-soft">Expires {card.expires}</span>
                  </span>
                  {may('pay') && (
                    <Button size="small" onClick={() => setRemoved(card)} aria-label={`Remove ${card.card}`}>
                      Remove
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {removed !== undefined && <RemoveDialog card={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  );
}

function RemoveDialog({ card, onClose }: { card: Card; onClose: () => void }) {
  const { organizationId } = useScope();
  const removal = useAct({
    send: () =>
      unwrap(
        api.DELETE(`${ORGANIZATION_PATH}/live/topups/cards/{payment_method_id}`, {
          params: { path: { organization_id: organizationId, payment_method_id: card.payment_method_id } },
        }),
      ),
    done: 'Card removed.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${card.card}?`}
      description="Automatic top-ups with this card are switched off."
      action="Remove"
      isDanger
      act={removal}
    />
  );
}
