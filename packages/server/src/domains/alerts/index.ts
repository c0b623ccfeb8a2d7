export {
  type AcknowledgementChange,
  changeAcknowledgement,
  type RecordAcknowledgement,
} from './acknowledge.ts';
export { type AlertFinding, advanceAlert, foreseeAlert } from './advance.ts';
export { presentAlert } from './present.ts';
export { quietUntil, requireClockTimes } from './quiet-hours.ts';
export { type AlertSubject, alertJson, deleteAlert, moveAlert, saveTold } from './store.ts';
