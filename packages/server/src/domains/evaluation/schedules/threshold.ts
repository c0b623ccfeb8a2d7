import { type EvalRun, limitText, shownScore } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { EvalSchedulesDeps } from './deps.ts';
import { findSchedule, markBelow } from './store.ts';

const percentsPerUnit = 100;

/** Returns the accuracy and its limit in percent, as a notice shows them. */
const percentsOf = (accuracy: number, minAccuracy: number) => ({
  accuracy: shownScore(accuracy * percentsPerUnit, minAccuracy * percentsPerUnit),
  minAccuracy: Number(limitText(minAccuracy * percentsPerUnit)),
});

/**
 * Notifies the responsible user when the accuracy crosses its threshold, in the transaction that completes the
 * evaluation.
 */
export const createReportThreshold =
  ({ tellResponsible }: Pick<EvalSchedulesDeps, 'tellResponsible'>) =>
  async (tx: Tx, run: EvalRun): Promise<void> => {
    const { projectId, accuracy, minAccuracy } = run;
    if (projectId === null || accuracy === null || minAccuracy === null) return;
    const schedule = await findSchedule(tx, projectId, { forUpdate: true });
    const isBelow = accuracy < minAccuracy;
    if (!schedule || !(await markBelow(tx, projectId, isBelow))) return;
    await tellResponsible(tx, {
      kind: isBelow ? 'AccuracyDropped' : 'AccuracyRecovered',
      subject: { kind: 'EvaluationSchedule', id: projectId },
      runId: null,
      isRepetition: false,
      facts: { ...percentsOf(accuracy, minAccuracy), evalRunId: run.id },
    });
  };
