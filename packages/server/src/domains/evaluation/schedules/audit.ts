import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { EvalSchedulesDeps } from './deps.ts';

export const recordScheduleEvent = (
  { audit }: Pick<EvalSchedulesDeps, 'audit'>,
  tx: Tx,
  event: `eval.${string}`,
  by: CallerActor,
  projectId: number,
  detail = {},
): Promise<void> =>
  audit.record(tx, { event, by, subject: { kind: 'eval_schedule', id: projectId }, projectId, detail });
