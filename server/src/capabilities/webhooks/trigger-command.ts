import type { Command } from 'commander';
import { addCommand } from '../../faces/command-line/add-command.ts';
import { readApiAccess, withApiAccess } from '../../faces/command-line/api-access.ts';
import { parseEventType } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import type { EventType } from '../../platform/events/event-types.ts';
import { requireTrigger, triggerEvent } from './trigger-event.ts';
import { triggers } from './triggers.ts';

const parseOneType = (text: string): EventType => parseEventType(text)[0] as EventType;

export function triggerCommand(program: Command): void {
  withApiAccess(
    addCommand(
      program,
      'trigger',
      'make an event happen in the sandbox; without a type, list what can be triggered',
      'trigger gift.claimed',
    ),
  )
    .argument('[type]', 'the type of event, such as gift.claimed', parseOneType)
    .action(async (type: EventType | undefined, { url, ...options }: OutputOptions & { url?: string }) => {
      if (type === undefined) {
        printMany(options, listed(), ({ type: name, can_trigger, how }) => ({
          type: name,
          'can be triggered': can_trigger,
          how,
        }));
        return;
      }
      requireTrigger(type);
      const event = await triggerEvent({ ...(await readApiAccess(url)), type });
      printOne(options, event, ({ event_id, sequence, data }) => ({
        event: event_id,
        type,
        sequence,
        order: data.order_id ?? null,
        gift: data.gift_id ?? null,
      }));
    });
}

const listed = () =>
  Object.entries(triggers).map(([type, trigger]) =>
    'instead' in trigger
      ? { type, can_trigger: false, how: trigger.instead }
      : { type, can_trigger: true, how: trigger.does },
  );
