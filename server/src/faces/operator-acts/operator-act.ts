import type { Command } from 'commander';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Operation } from '../../platform/api/operation.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { addCommand } from '../command-line/add-command.ts';
import type { Question } from '../command-line/confirm.ts';
import { operator } from '../command-line/operator.ts';
import type { OutputOptions } from '../command-line/print.ts';
import { type CommandDeps, withDatabase } from '../command-line/with-database.ts';
import type { Schemas } from './schemas.ts';

/** What an act changes, such as a member: how the operator's page and the command name it. */
export interface Subject<Found> {
  tag: string;
  /** On the page. */
  path: string;
  /** The parameter of the path that the command takes too. */
  id: string;
  /** As the command takes it; and as the documents name it, empty if it takes none. */
  example: string;
  placeholder: string;
  /** Adds the command's argument, or `--org`. */
  take(command: Command): Command;
  /** @param named the parameters of the path; of a command only `id` */
  find(deps: CommandDeps, named: Record<string, string>): Promise<Found>;
}

/** The subject of acts that name none, such as those that create. */
export const allOf = (tag: string, path: string): Subject<object> => ({
  tag,
  path,
  id: '',
  example: '',
  placeholder: '',
  take: (command) => command,
  find: async () => ({}),
});

type Input<Body extends TProperties> = Static<TObject<Body>> & { reason?: string };

/** One act as the operator's page has it. */
interface PageDeclaration<Deps, Found, Body extends TProperties, Response extends TSchema, Done> {
  /** The end of the page's path, and the command's word. */
  word: string;
  operationId: string;
  summary: string;
  /** Only if it is not POST. */
  method?: 'PUT';
  /** Only if the path does not end with the word. */
  path?: string;
  /** What is sent besides the reason. */
  body?(schemas: Schemas): Body;
  /** Without it the page gets no answer. */
  response?(schemas: Schemas): Response;
  /** What the operator's log keeps besides the path's parameters. */
  about?(input: Input<Body>): Record<string, string>;
  run(deps: Deps, of: Found & { actor: Actor }, input: Input<Body>): Promise<Done>;
}

/** One act as both have it. */
interface Declaration<Deps, Found, Body extends TProperties, Response extends TSchema, Done>
  extends PageDeclaration<Deps, Found, Body, Response, Done> {
  /** What the command does, in its help. */
  help: string;
  /** What it does, in the documents, as Markdown; and its options there. */
  does: string;
  usage?: string;
  /** Adds the options that make the same input. */
  options?(command: Command): Command;
  /** Only if the options have other names than the body. */
  read?(options: object): Input<Body>;
  /** The options in the command's example. */
  example?: string;
  /** Of an act that takes something away. */
  confirms?: Question;
  print(options: OutputOptions, done: Done, of: { id: string; currency: string }): void;
}

/** An act for the operator's page. */
export interface PageAct<in Deps> {
  operation: (schemas: Schemas) => Omit<Operation, 'access'>;
  about: (call: { body: unknown }) => Record<string, string>;
  answer: (deps: Deps, call: { params: Record<string, string>; body: unknown; actor: Actor }) => Promise<unknown>;
}

/** An act for the operator's page and for a group of commands. */
interface OperatorAct<in Deps> extends PageAct<Deps> {
  /** Of the command in the documents: how it is used, after the group's name, and what it does. */
  row: { usage: string; does: string };
  addTo: (group: Command) => void;
}

/** Declares an act whose command, if there is one, takes other input. */
export function pageAct<
  Deps extends CommandDeps,
  Found,
  Body extends TProperties,
  Response extends TSchema,
  Done extends Static<Response>,
>(subject: Subject<Found>, act: PageDeclaration<Deps, Found, Body, Response, Done>): PageAct<Deps> {
  const { word, path = `/${word}`, method = 'POST', operationId, summary } = act;
  return {
    operation: (schemas) => ({
      method,
      path: `${subject.path}${path}`,
      operationId,
      tag: subject.tag,
      summary,
      body: schemas.Type.Object({ ...act.body?.(schemas), reason: schemas.Reason }),
      ...(act.response && { response: act.response(schemas) }),
    }),
    // The router has checked the body.
    about: ({ body }) => act.about?.(body as Input<Body>) ?? {},
    answer: async (deps, { params, body, actor }) =>
      act.run(deps, { ...(await subject.find(deps, params)), actor }, body as Input<Body>),
  };
}

/** Declares acts that need more than a command has. @param open adds it to what the command has */
export const actsWith =
  <Deps extends CommandDeps>(open: (deps: CommandDeps) => Promise<Deps>) =>
  <Found, Body extends TProperties, Response extends TSchema, Done extends Static<Response>>(
    subject: Subject<Found>,
    act: Declaration<Deps, Found, Body, Response, Done>,
  ): OperatorAct<Deps> => ({
    ...pageAct(subject, act),
    row: {
      usage: [act.word, subject.placeholder, act.usage, act.confirms && '--yes'].filter(Boolean).join(' '),
      does: act.does,
    },
    addTo(group) {
      const { word, help, confirms } = act;
      const example = [group.name(), word, subject.example, act.example].filter(Boolean).join(' ');
      const command = subject.take(addCommand(group, word, help, example, confirms && { confirms }));
      act.options?.(command);
      command.action(async () => {
        const options = command.opts<Input<Body> & OutputOptions & { org?: string }>();
        const id = command.processedArgs[0] ?? options.org;
        const [done, currency] = await withDatabase(async (given) => {
          const deps = await open(given);
          const found = await subject.find(deps, id === undefined ? {} : { [subject.id]: id });
          const input = act.read?.(options) ?? options;
          return [await act.run(deps, { ...found, actor: operator() }, input), deps.config.currency] as const;
        });
        act.print(options, done, { id, currency });
      });
    },
  });

/** Declares an act of the operator's page and of the command. */
export const actOn = actsWith(async (deps) => deps);
