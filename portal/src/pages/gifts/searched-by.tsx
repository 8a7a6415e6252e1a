import { getRouteApi } from '@tanstack/react-router';
import { withFilters } from '../../base/search.ts';
import { Button } from '../../ui/button.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts');

interface SearchedByProps {
  page: { found_by: 'id' | 'address' | 'external_id' | null } | undefined;
  search: ReturnType<typeof route.useSearch>;
}

/** Says whether a search found all gifts, or looked at the newest. */
export function SearchedBy({ page, search }: SearchedByProps) {
  const navigate = route.useNavigate();
  const query = search.query?.trim();
  if (query === undefined || page === undefined || page.found_by === 'id') return null;
  if (page.found_by === null)
    return (
      <p data-testid="searched-by" className="mb-3 text-soft wrap-anywhere">
        Looks inside texts, 2,000 gifts at a time. A whole address, ID or external ID finds gifts of any age.
      </p>
    );
  return (
    <p data-testid="searched-by" className="mb-3 text-soft wrap-anywhere">
      {page.found_by === 'address' ? `All gifts to ${query}.` : `All gifts with the external ID ${query}.`}{' '}
      <Button
        variant="quiet"
        size="small"
        onClick={() => void navigate({ search: withFilters(search, { within: 'texts' }) })}
      >
        Look inside texts too
      </Button>
    </p>
  );
}
