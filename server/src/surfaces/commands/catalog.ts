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
import { isLanguage, languageTags } from '../../platform/languages/languages.ts';

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

  addCommand(group, 'add-built-in', 'add missing built-in categories', 'catalog add-built-in').action(
    async (options: OutputOptions) => {
      printMany(options, await withDatabase(addBuiltInCategories), present);
    },
  );

  updateCommand(group);

  addCommand(group, 'retire', 'stop selling a category; existing gifts stay', 'catalog retire tea', {
    confirms: retirement,
  })
    .argument('<id>', 'the category')
    .action(async (id: string, options: OutputOptions) => {
      printOne(options, await withDatabase((deps) => retireCategory(deps, id)), present);
    });
}

/** The question before it; undefined if it is not sold. */
async function retirement(deps: CommandDeps, id: string) {
  const category = (await listCategories(deps)).find(({ category_id }) => category_id === id);
  if (category === undefined || category.retired_at !== null) return undefined;
  return `Retire the category ${category.name} (${id})? New orders of it are refused; gifts that exist stay.`;
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

function present(category: CategoryRow) {
  return {
    category: category.category_id,
    position: category.position,
    name: category.name,
    names:
      Object.entries(category.names ?? {})
        .map((pair) => pair.join('='))
        .join(', ') || null,
    description: category.description,
    artwork: category.artwork,
    details: category.product_details_url,
    retired: category.retired_at,
  };
}

/** Adds to what was given before: `de=Tee`, or `de=`, which removes the name. */
function parseNameIn(text: string, earlier: NamesIn | undefined): NamesIn {
  const [, language, name = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  if (!isLanguage(language))
    throw new InvalidArgumentError(`It must be such as de=Tee. Languages: ${languageTags.join(', ')}.`);
  return { ...earlier, [language]: name.trim() === '' ? null : parseName(name) };
}
