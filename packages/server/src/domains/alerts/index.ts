export { type AlertFinding, advanceAlert, foreseeAlert } from './advance.ts';
export { deleteAlert, moveAlert, saveTold } from './store.ts';
