import { createNotify, type Notify } from '../domains/realtime/index.ts';
import { createEvents, type Events, type EventsOptions } from '../platform/events/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';

/** Events between the processes of the service, and the notification of open pages. */
export type EventsModule = Module & { readonly events: Events; readonly notify: Notify };

/** Composes the events between processes. Without realtime, none are written. */
export function composeEvents(infra: Infrastructure, options: EventsOptions | undefined): EventsModule {
  const { database, log } = infra;
  const { isEnabled } = infra.settings.realtime;
  const events = createEvents({ database, connection: infra.connection, log, options });
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
