import { SelectField } from './field.tsx';

interface OrderFieldProps {
  /** `oldest`; anything else is newest first. */
  value: string | undefined;
  onChange: (order: string | undefined) => void;
}

/** The order of a list. Only by time, which every list has an index for. */
export const OrderField = ({ value, onChange }: OrderFieldProps) => (
  <SelectField
    label="Order"
    isLabelHidden
    value={orderOf(value) ?? ''}
    onChange={(order) => onChange(order || undefined)}
    options={[
      { value: '', label: 'Newest first' },
      { value: 'oldest', label: 'Oldest first' },
    ]}
  />
);

export const orderOf = (text: string | undefined): 'oldest' | undefined => (text === 'oldest' ? text : undefined);

/** The server's pages are newest first in both orders. */
export const inOrder = <Page extends { data: readonly unknown[] }>(page: Page, order: string | undefined): Page =>
  orderOf(order) === undefined ? page : { ...page, data: page.data.toReversed() };

/** The same search in another order. */
export function withOrder<Search extends { order?: string }>(
  { order: _, ...search }: Search,
  order: string | undefined,
) {
  return { ...search, ...(order === undefined ? {} : { order }) } as Search;
}
