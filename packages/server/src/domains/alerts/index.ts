export { type AlertFinding, advanceAlert, foreseeAlert } from './advance.ts';
export { deleteAlert, saveTold } from './store.ts';
