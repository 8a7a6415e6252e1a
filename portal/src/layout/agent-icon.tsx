/** A robot, in the style of the library's icons; its nearest one is three times as large. */
export const AgentIcon = ({ className }: { className: string }) => (
  <svg aria-hidden="true" viewBox="0 0 15 15" fill="none" stroke="currentColor" className={className}>
    <path strokeLinecap="round" strokeLinejoin="round" d="M2.5 5.5h10v7h-10zm5 0v-3m-2 6v1m4-1v1m-9-1v1m14-1v1" />
  </svg>
);
