/** SQL: hides a table of organizations, and the view that the service reads, or shows them again. */
export const hideTable = (name: string) =>
  `alter table ${name} rename to ${name}_away; alter view limited.${name} rename to ${name}_away`;
export const showTable = (name: string) =>
  `alter table ${name}_away rename to ${name}; alter view limited.${name}_away rename to ${name}`;
