// All icons of the library that the portal uses are in one file, which the overview loads. These icons are not on the
// overview.

const Drawn = ({ d, className }: { d: string; className?: string }) => (
  <svg
    className={className}
    aria-hidden="true"
    width="15"
    height="15"
    viewBox="0 0 15 15"
    fill="none"
    stroke="currentColor"
  >
    <path strokeLinecap="round" strokeLinejoin="round" d={d} />
  </svg>
);

export const ChevronLeftIcon = () => <Drawn d="M9 3.5l-4 4 4 4" />;
export const ChevronRightIcon = ({ className }: { className?: string }) => (
  <Drawn d="M6 3.5l4 4-4 4" {...(className && { className })} />
);
export const DownloadIcon = () => <Drawn d="M7.5 1.5v8m-3-3 3 3 3-3m-8 3.5v2.5h10V10" />;
export const PlayIcon = () => <Drawn d="M3.5 2.5v10l9-5z" />;
export const PauseIcon = () => <Drawn d="M3.5 2.5H6v10H3.5zm5.5 0h2.5v10H9z" />;
