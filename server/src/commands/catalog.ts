import type { Command } from 'commander';
import { addBuiltInCategories } from '../catalog/add-built-in-categories.ts';
import { addCategory } from '../catalog/add-category.ts';
import { listCategories } from '../catalog/list-categories.ts';
import type { CategoryRow } from '../catalog/queries.ts';
import { retireCategory } from '../catalog/retire-category.ts';
import { updateCategory } from '../catalog/update-category.ts';
import { addCommand, addGroup } from './add-command.ts';
import { parseAddress, parseCategoryId, parseName, parsePosition, parseText } from './parse-argument.ts';
import { type OutputOptions, printMany, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

interface CategoryOptions extends OutputOptions {
  name: string;
  description: string;
  artwork?: string;
  detailsUrl?: string;
  position?: number;
}

/** Commander makes `--no-artwork` the value false of `artwork`. */
interface ChangeOptions extends OutputOptions {
  name?: string;
  description?: string;
  artwork?: string | false;
  detailsUrl?: string | false;
  position?: number;
  reinstate?: boolean;
}

export function catalogCommands(program: Command): void {
  const group = addGroup(program, 'catalog', 'the catalog: what gifts can be', 'catalog list');

  addCommand(group, 'list', 'list all categories, retired ones too', 'catalog list').action(
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
    .argument('<id>', 'its id: small letters, digits and dashes', parseCategoryId)
    .requiredOption('--name <name>', 'its name', parseName)
    .requiredOption('--description <text>', 'whom it suits', parseText)
    .option('--artwork <address>', 'a picture: an https:// address or a path of this service', parseAddress)
    .option('--details-url <address>', 'a public page about it, instead of this service’s own', parseAddress)
    .option('--position <number>', 'its place in the catalog, instead of the end', parsePosition)
    .action(async (id: string, options: CategoryOptions) => {
      const { name, description, artwork, detailsUrl: productDetailsUrl, position } = options;
      const category = { id, name, description, artwork, productDetailsUrl, position };
      printOne(options, await withDatabase((deps) => addCategory(deps, category)), present);
    });

  addCommand(
    group,
    'add-built-in',
    'add the built-in categories that are not there yet',
    'catalog add-built-in',
  ).action(async (options: OutputOptions) => {
    printMany(options, await withDatabase(addBuiltInCategories), present);
  });

  addCommand(
    group,
    'update',
    'change a category; what is left out stays',
    'catalog update tea --no-artwork --position 3',
  )
    .argument('<id>', 'the category')
    .option('--name <name>', 'its name', parseName)
    .option('--description <text>', 'whom it suits', parseText)
    .option('--artwork <address>', 'a picture: an https:// address or a path of this service', parseAddress)
    .option('--no-artwork', 'take the picture away')
    .option('--details-url <address>', 'a public page about it', parseAddress)
    .option('--no-details-url', 'go back to this service’s own page')
    .option('--position <number>', 'its place in the catalog', parsePosition)
    .option('--reinstate', 'sell a retired category again')
    .action(async (id: string, options: ChangeOptions) => {
      const { name, description, artwork, detailsUrl, position, reinstate } = options;
      const changes = {
        name,
        description,
        artwork: artwork === false ? null : artwork,
        productDetailsUrl: detailsUrl === false ? null : detailsUrl,
        position,
        isReinstated: reinstate,
      };
      printOne(options, await withDatabase((deps) => updateCategory(deps, id, changes)), present);
    });

  addCommand(group, 'retire', 'sell a category no longer; gifts of it stay', 'catalog retire tea')
    .argument('<id>', 'the category')
    .action(async (id: string, options: OutputOptions) => {
      printOne(options, await withDatabase((deps) => retireCategory(deps, id)), present);
    });
}

function present(category: CategoryRow) {
  return {
    category: category.category_id,
    position: category.position,
    name: category.name,
    description: category.description,
    artwork: category.artwork,
    details: category.product_details_url,
    retired: category.retired_at,
  };
}
