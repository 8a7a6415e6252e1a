import { type Command, InvalidArgumentError } from 'commander';
import { addBuiltInCategories } from '../../core/catalog/add-built-in-categories.ts';
import { addCategory } from '../../core/catalog/add-category.ts';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { CategoryRow } from '../../core/catalog/queries.ts';
import { retireCategory } from '../../core/catalog/retire-category.ts';
import { updateCategory } from '../../core/catalog/update-category.ts';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import {
  parseAddress,
  parseCategoryId,
  parseName,
  parsePosition,
  parseText,
} from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { actOn, allOf, type Subject } from '../../faces/operator-acts/operator-act.ts';
import { isLanguage, languageTags } from '../../platform/languages/languages.ts';

const category: Subject<{ id: string }> = {
  tag: 'Catalog',
  path: '/catalog/{category_id}',
  id: 'category_id',
  example: 'tea',
  placeholder: 'CATEGORY',
  take: (command) => command.argument('<id>', 'the category'),
  find: async (_, { category_id: id = '' }) => ({ id }),
};

/** Adds what the catalog lacks of the categories that every service has. */
export const addBuiltInAct = actOn(allOf('Catalog', '/catalog'), {
  word: 'add-built-in',
  path: '/built-in',
  operationId: 'addBuiltInCategories',
  summary: 'Adds the built-in categories that are missing.',
  help: 'add missing built-in categories',
  does: 'Adds missing built-in categories.',
  response: ({ Type, Category }) => Type.Object({ data: Type.Array(Category) }),
  run: async (deps) => ({ data: await addBuiltInCategories(deps) }),
  print: (options, { data }) => printMany(options, data, present),
});

/** Ends the sale of a category. */
export const retireAct = actOn(category, {
  word: 'retire',
  operationId: 'retireCategory',
  summary: 'Stops selling a category. Its gifts stay.',
  help: 'stop selling a category; existing gifts stay',
  does: 'Stops selling a category.',
  response: ({ Category }) => Category,
  confirms: retirement,
  run: (deps, { id }) => retireCategory(deps, id),
  print: (options, retired) => printOne(options, retired, present),
});

/** The question before it; undefined if it is not sold. */
async function retirement(deps: CommandDeps, id: string) {
  const found = (await listCategories(deps)).find(({ category_id }) => category_id === id);
  if (found === undefined || found.retired_at !== null) return undefined;
  return `Retire the category ${found.name} (${id})? New orders of it are refused; gifts that exist stay.`;
}

const present = (row: CategoryRow) => ({
  category: row.category_id,
  position: row.position,
  name: row.name,
  names:
    Object.entries(row.names ?? {})
      .map((pair) => pair.join('='))
      .join(', ') || null,
  description: row.description,
  artwork: row.artwork,
  details: row.product_details_url,
  retired: row.retired_at,
});

type NamesIn = Parameters<typeof updateCategory>[2]['names'];

interface CategoryOptions extends OutputOptions {
  name: string;
  nameIn?: NamesIn;
  description: string;
  artwork?: string;
  detailsUrl?: string;
  position?: number;
}

/** Commander turns `--no-artwork` into `artwork: false`. */
interface ChangeOptions extends OutputOptions {
  name?: string;
  nameIn?: NamesIn;
  description?: string;
  artwork?: string | false;
  detailsUrl?: string | false;
  position?: number;
  reinstate?: boolean;
}

export function catalogCommands(program: Command): void {
  const group = addGroup(program, 'catalog', 'catalog of gift categories', 'catalog list');

  addCommand(group, 'list', 'list all categories, including retired ones', 'catalog list').action(
    async (options: OutputOptions) => {
      printMany(options, await withDatabase(listCategories), present);
    },
  );

  addCommand(
    group,
    'add',
    'add a category',
    'catalog add tea --name Tea --description "For people who take their time."',
  )
    .argument('<id>', 'the category’s id: lowercase letters, digits and dashes', parseCategoryId)
    .requiredOption('--name <name>', 'the name', parseName)
    .option('--name-in <language=name>', 'what recipients read in a language, such as de=Tee; repeatable', parseNameIn)
    .requiredOption('--description <text>', 'the description', parseText)
    .option('--artwork <address>', 'a picture: an https:// URL or a path of this service', parseAddress)
    .option('--details-url <address>', 'a public page, instead of this service’s', parseAddress)
    .option('--position <number>', 'the position in the catalog, instead of last', parsePosition)
    .action(async (id: string, options: CategoryOptions) => {
      const { name, nameIn: names, description, artwork, detailsUrl: productDetailsUrl, position } = options;
      const category = { id, name, names, description, artwork, productDetailsUrl, position };
      printOne(options, await withDatabase((deps) => addCategory(deps, category)), present);
    });

  addBuiltInAct.addTo(group);
  updateCommand(group);
  retireAct.addTo(group);
}

function updateCommand(group: Command): void {
  addCommand(
    group,
    'update',
    'change a category; omitted options keep their values',
    'catalog update tea --no-artwork --position 3',
  )
    .argument('<id>', 'the category')
    .option('--name <name>', 'the name', parseName)
    .option('--name-in <language=name>', 'what recipients read in a language; de= removes it; repeatable', parseNameIn)
    .option('--description <text>', 'the description', parseText)
    .option('--artwork <address>', 'a picture: an https:// URL or a path of this service', parseAddress)
    .option('--no-artwork', 'remove the picture')
    .option('--details-url <address>', 'a public page', parseAddress)
    .option('--no-details-url', 'use this service’s page again')
    .option('--position <number>', 'the position in the catalog', parsePosition)
    .option('--reinstate', 'sell a retired category again')
    .action(async (id: string, options: ChangeOptions) => {
      const { name, nameIn: names, description, artwork, detailsUrl, position, reinstate } = options;
      const changes = {
        name,
        names,
        description,
        artwork: artwork === false ? null : artwork,
        productDetailsUrl: detailsUrl === false ? null : detailsUrl,
        position,
        isReinstated: reinstate,
      };
      printOne(options, await withDatabase((deps) => updateCategory(deps, id, changes)), present);
    });
}

/** Adds to what was given before: `de=Tee`, or `de=`, which removes the name. */
function parseNameIn(text: string, earlier: NamesIn | undefined): NamesIn {
  const [, language, name = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  if (!isLanguage(language))
    throw new InvalidArgumentError(`It must be such as de=Tee. Languages: ${languageTags.join(', ')}.`);
  return { ...earlier, [language]: name.trim() === '' ? null : parseName(name) };
}
