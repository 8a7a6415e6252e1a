import { statementOfNone } from '../../platform/database/statement.ts';

/** Keeps a package under its name. A name keeps its first content. */
export const keepPackage = statementOfNone<[name: string, content: Buffer, now: Date]>(
  'client_packages.keep',
  `insert into client_packages (name, content, served_since) values ($1, $2, $3) on conflict (name) do nothing`,
);

export const selectPackage = statementOfNone<[name: string], { content: Buffer }>(
  'client_packages.select',
  'select content from client_packages where name = $1',
);

/** In the order in which they were first served. */
export const selectPackageNames = statementOfNone<[], { name: string; sha256: string }>(
  'client_packages.names',
  `select name, encode(sha256, 'hex') as sha256 from client_packages order by served_since, name`,
);
