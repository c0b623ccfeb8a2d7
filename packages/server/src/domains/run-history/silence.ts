import type { RunStatus, SilenceReason } from '@svc/contract';
import type { RunReasonWord } from './comment.ts';

/** Stored reasons of runs that deliberately sent nothing, with their names in the API. */
const silences: Readonly<Partial<Record<RunReasonWord, SilenceReason>>> = {
  StillFiring: 'StillFiring',
  AlertPending: 'AlertPending',
  Snoozed: 'Snoozed',
  Superseded: 'QuietHours',
  Baseline: 'Baseline',
  NothingChanged: 'NothingChanged',
  NothingRouted: 'NothingRouted',
};

/** Returns the reason why a run sent nothing; null for a run with another status or another reason. */
export function silenceOf({
  status,
  reason,
}: {
  readonly status: RunStatus;
  readonly reason: string | null;
}) {
  if (status !== 'Silenced' || reason === null || !Object.hasOwn(silences, reason)) return null;
  return silences[reason as RunReasonWord] ?? null;
}
