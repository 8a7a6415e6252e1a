import { type ReactNode, useEffect, useId } from 'react';

interface PageProps {
  title: string;
  /** Title of the browser tab. */
  tabTitle?: string;
  /** A link to the list that contains this gift, order or request. */
  crumb?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its heading, its actions and its content. */
export function Page({ title, tabTitle = title, crumb, description, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${tabTitle} · Bestow`;
  }, [tabTitle]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      {crumb !== undefined && (
        <nav
          aria-label="Breadcrumb"
          className="print:hidden mb-1 text-sm text-soft *:hover:text-accent *:hover:underline"
        >
          {crumb}
        </nav>
      )}
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl leading-9 wrap-anywhere sm:text-[1.75rem]">{title}</h1>
          {description !== undefined && <p className="mt-1 max-w-2xl text-soft">{description}</p>}
        </div>
        {actions !== undefined && <div className="print:hidden flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="mt-6 grid grid-cols-1 gap-6">{children}</div>
    </div>
  );
}

interface PanelProps {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A framed section with a heading. */
export function Panel({ title, description, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className="min-w-0 rounded-2xl border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div>
            {title !== undefined && (
              <h2 id={id} className="text-lg leading-6">
                {title}
              </h2>
            )}
            {description !== undefined && <p className="mt-1 max-w-2xl text-sm text-soft">{description}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr] sm:gap-y-2">
      {facts.map(([name, value]) => (
        <div key={name} className="sm:contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
