import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActButton } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import type { Category } from './category.ts';
import { AddCategoryDialog, EditCategoryDialog } from './category-fields.tsx';
import { AddBuiltInDialog, ReinstateCategoryDialog, RetireCategoryDialog } from './category-state.tsx';

/** What gifts can be for, in all organizations. */
export function CatalogPage() {
  const catalog = useQuery({ queryKey: ['catalog'], queryFn: () => unwrap(operatorApi.GET('/operator/api/catalog')) });
  return (
    <OperatorPage
      title="Catalog"
      description="What gifts can be for, in all organizations. Changes are public at once."
      actions={
        <>
          <ActButton label="Add built-in categories" size="normal">
            {(onClose) => <AddBuiltInDialog onClose={onClose} />}
          </ActButton>
          <ActButton label="Add a category" variant="primary" size="normal">
            {(onClose) => <AddCategoryDialog onClose={onClose} />}
          </ActButton>
        </>
      }
    >
      <Panel>
        <DataTable
          caption="Categories"
          columns={columns}
          query={catalog}
          rowKey={({ category_id }) => category_id}
          empty={<EmptyState title="No categories yet">Add the built-in ones, or your own.</EmptyState>}
        />
        <CommandLine command="bestow catalog list" />
      </Panel>
    </OperatorPage>
  );
}

const columns: Column<Category>[] = [
  {
    header: 'Category',
    cell: ({ name, category_id, description }) => (
      <>
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="block font-mono text-[0.8125rem] text-soft">{category_id}</span>
        <span className="mt-1 hidden max-w-xl text-sm text-soft md:block">{description}</span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ retired_at }) =>
      retired_at === null ? (
        <Badge tone="good">Sold</Badge>
      ) : (
        <>
          <Badge tone="plain">Retired</Badge>
          <span className="block text-sm text-soft">
            <Time at={retired_at} />
          </span>
        </>
      ),
  },
  { header: 'Position', align: 'right', isWide: true, cell: ({ position }) => position },
  {
    header: 'Action',
    align: 'right',
    cell: (category) => (
      <span className="inline-flex flex-col items-end gap-2 sm:flex-row">
        <ActButton label="Change" about={category.name}>
          {(onClose) => <EditCategoryDialog category={category} onClose={onClose} />}
        </ActButton>
        {category.retired_at === null ? (
          <ActButton label="Retire" about={category.name} variant="danger">
            {(onClose) => <RetireCategoryDialog category={category} onClose={onClose} />}
          </ActButton>
        ) : (
          <ActButton label="Sell again" about={category.name}>
            {(onClose) => <ReinstateCategoryDialog category={category} onClose={onClose} />}
          </ActButton>
        )}
      </span>
    ),
  },
];
