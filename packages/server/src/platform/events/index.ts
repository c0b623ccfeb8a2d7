export { createEvents, type Events, type EventsOptions } from './events.ts';
