export {
  type AcknowledgementChange,
  changeAcknowledgement,
  type RecordAcknowledgement,
} from './acknowledge.ts';
export { type AlertOutcome, advanceAlert, foreseeAlert, type NextAlert, nextAlert } from './advance.ts';
export { presentAlert } from './present.ts';
export { quietUntil, requireClockTimes } from './quiet-hours.ts';
export {
  type AlertSubject,
  alertJson,
  deleteAlert,
  lockAlert,
  moveAlert,
  type StoredAlert,
  saveAlert,
  saveNotification,
} from './store.ts';
