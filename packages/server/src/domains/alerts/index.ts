export { type AlertFinding, advanceAlert, foreseeAlert } from './advance.ts';
export { quietUntil } from './quiet-hours.ts';
export { deleteAlert, moveAlert, saveTold } from './store.ts';
