import type { RunToExecute } from './store/load-run.ts';

/** Next step of a job with a run that has not ended. */
export type Resumption =
  | { readonly kind: 'Execute' }
  /** Another job resumes the run later. */
  | { readonly kind: 'Wait' }
  | { readonly kind: 'End'; readonly reason: 'Superseded' | 'Snoozed' };

/** Maximum difference between the clocks of the service and of its database, in milliseconds. */
const clockDifferenceMsMax = 60_000;

/** Decides how a job proceeds with a run. Only a run whose message quiet hours held can wait or end here. */
export function resumptionOf(
  run: Pick<RunToExecute, 'heldUntil' | 'isArchived' | 'isSnoozed' | 'origin'>,
  now: Date,
): Resumption {
  const { heldUntil } = run;
  if (heldUntil === null) return { kind: 'Execute' };
  // The job at the end of the quiet hours resumes it.
  if (heldUntil.getTime() > now.getTime() + clockDifferenceMsMax) return { kind: 'Wait' };
  if (run.isArchived) return { kind: 'End', reason: 'Superseded' };
  return isSilent(run) ? { kind: 'End', reason: 'Snoozed' } : { kind: 'Execute' };
}

/** Returns true if a snooze prevents notifications. A run that a user started always notifies. */
export const isSilent = (run: Pick<RunToExecute, 'isSnoozed' | 'origin'>): boolean =>
  run.isSnoozed && run.origin === 'Schedule';
