export { type AlertFinding, advanceAlert, foreseeAlert } from './advance.ts';
export { quietUntil, requireClockTimes } from './quiet-hours.ts';
export { type AlertSubject, deleteAlert, moveAlert, saveTold } from './store.ts';
