import { unwrap } from '../../../api/client.ts';
import { countOf } from '../../../ui/formats.ts';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import type { Category } from './category.ts';

interface OfCategory {
  category: Category;
  onClose: () => void;
}

export const RetireCategoryDialog = ({ category, onClose }: OfCategory) => (
  <ActDialog
    onClose={onClose}
    title={`Retire “${category.name}”?`}
    description="No one can order it any more. Gifts that were ordered stay."
    action="Retire category"
    isDanger
    readBy="operators"
    command={`bestow catalog retire ${category.category_id} --yes`}
    send={(reason) =>
      unwrap(
        operatorApi.POST('/operator/api/catalog/{category_id}/retire', {
          params: { path: { category_id: category.category_id } },
          body: { reason },
        }),
      )
    }
    done={`Retired “${category.name}”.`}
  />
);

export const ReinstateCategoryDialog = ({ category, onClose }: OfCategory) => (
  <ActDialog
    onClose={onClose}
    title={`Sell “${category.name}” again?`}
    description="All organizations can order it at once."
    action="Sell again"
    readBy="operators"
    command={`bestow catalog update ${category.category_id} --reinstate`}
    send={(reason) =>
      unwrap(
        operatorApi.PATCH('/operator/api/catalog/{category_id}', {
          params: { path: { category_id: category.category_id } },
          body: { is_reinstated: true, reason },
        }),
      )
    }
    done={`“${category.name}” is sold again.`}
  />
);

export const AddBuiltInDialog = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    onClose={onClose}
    title="Add the built-in categories?"
    description="Adds those that are missing, with their artwork. Categories that exist stay as they are."
    action="Add categories"
    readBy="operators"
    command="bestow catalog add-built-in"
    send={(reason) => unwrap(operatorApi.POST('/operator/api/catalog/built-in', { body: { reason } }))}
    done={({ data }) => `Added ${countOf(data.length, 'category', 'categories')}.`}
  />
);
