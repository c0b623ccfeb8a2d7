import { createNotify, type Notify } from '../domains/realtime/index.ts';
import { createEvents, type Events, type EventsOptions } from '../platform/events/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Events between the processes of the service, and the notification of open pages. */
export type EventsPart = Part & { readonly events: Events; readonly notify: Notify };

/** Composes the events between processes. Without realtime, none are written. */
export function composeEvents(ground: Ground, options: EventsOptions | undefined): EventsPart {
  const { database, log } = ground;
  const { isEnabled } = ground.settings.realtime;
  const events = createEvents({ database, connection: ground.connection, log, options });
  const notify = createNotify({ events, executor: database, log, isEnabled });
  return {
    events,
    notify,
    start: () => {
      if (isEnabled) events.start();
    },
    close: async () => {
      await notify.settled();
      await events.close();
    },
  };
}
