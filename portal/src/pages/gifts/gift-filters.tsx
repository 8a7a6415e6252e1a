import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { SelectField } from '../../ui/field.tsx';
import { DateFilter, Filters, SearchField, useSearchText } from '../../ui/filters.tsx';
import { giftMethods, giftStatuses } from '../../ui/gift-status.tsx';

type Search = Partial<Record<'query' | 'status' | 'method' | 'category' | 'from' | 'to', string>>;

interface GiftFiltersProps {
  search: Search;
  onChange: (changes: Search) => void;
  onClear: () => void;
}

/** The filters of the gift list. */
export function GiftFilters({ search, onChange, onClear }: GiftFiltersProps) {
  const { includes } = useScope();
  const { query = '', status = '', method = '', category = '', from = '', to = '' } = search;
  const [text, setText] = useSearchText(query, search);
  const filter = (changes: Search) => onChange({ query: text.trim(), ...changes });
  const count = [status, method, category, from, to].filter((value) => value !== '').length;
  return (
    <Filters
      search={
        <SearchField
          label={includes('people') ? 'ID, address or name' : 'ID of a gift or an order'}
          text={text}
          onText={setText}
          onSearch={(sought) => filter({ query: sought })}
        />
      }
      count={count}
      onClear={onClear}
    >
      <SelectField
        label="Status"
        isLabelHidden
        value={status}
        onChange={(value) => filter({ status: value })}
        options={[{ value: '', label: 'Any status' }, ...giftStatuses]}
      />
      <SelectField
        label="Method"
        isLabelHidden
        value={method}
        onChange={(value) => filter({ method: value })}
        options={[
          { value: '', label: 'Any method' },
          ...Object.entries(giftMethods).map(([value, label]) => ({ value, label })),
        ]}
      />
      <CategoryFilter value={category} onChange={(value) => filter({ category: value })} />
      <DateFilter label="From" value={from} onChange={(day) => filter({ from: day })} />
      <DateFilter label="To" value={to} onChange={(day) => filter({ to: day })} />
    </Filters>
  );
}

function CategoryFilter({ value, onChange }: { value: string; onChange: (categoryId: string) => void }) {
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: () => unwrap(api.GET('/portal/api/categories')),
    staleTime: 60_000,
  });
  const choices = categories.data?.data ?? [];
  return (
    <SelectField
      label="Category"
      isLabelHidden
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: 'Any category' },
        // A category in the URL that is unknown or not loaded yet.
        ...(value !== '' && !choices.some(({ category_id }) => category_id === value) ? [{ value, label: value }] : []),
        ...choices.map(({ category_id, name, is_retired }) => ({
          value: category_id,
          label: is_retired ? `${name} (retired)` : name,
        })),
      ]}
    />
  );
}
