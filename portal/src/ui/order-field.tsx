import { SelectField } from './field.tsx';

export interface OrderChoice {
  value: string;
  label: string;
}

interface OrderFieldProps {
  /** `oldest` or one of `more`; anything else is newest first. */
  value: string | undefined;
  onChange: (order: string | undefined) => void;
  /** Orders of this list. */
  more?: readonly OrderChoice[] | undefined;
}

/** The order of a list: by time, which every list has an index for, and by what this list can be sorted by. */
export const OrderField = ({ value, onChange, more = [] }: OrderFieldProps) => (
  <SelectField
    label="Order"
    isLabelHidden
    value={more.some((one) => one.value === value) ? (value ?? '') : (orderOf(value) ?? '')}
    onChange={(order) => onChange(order || undefined)}
    options={[{ value: '', label: 'Newest first' }, { value: 'oldest', label: 'Oldest first' }, ...more]}
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
