import { type EvalSchedule, SavedSchedule, saveEvalSchedule } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { viewerZone } from '../../lib/format.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import type { Named } from '../../ui/form/found-select.tsx';
import { expressionOf, firstPlan, type Plan, planOf } from '../../views/schedule/cron.ts';
import { percentOf } from './percent.ts';

type Values = {
  readonly projectId: Named | null;
  readonly plan: Plan;
  readonly timeZone: string;
  /** In percent. */
  readonly minAccuracy: number | null;
  readonly repeats: number | null;
  readonly maxTokens: number | null;
};

const minPercentDefault = 80;
/** Form of an evaluation schedule. Null: a new schedule. */
export function useEvalScheduleForm(record: EvalSchedule | null, onSaved: () => void) {
  const save = useChange(saveEvalSchedule, { headers: () => (record ? ifUnchanged(form.version) : {}) });
  const plan = record ? planOf(record.schedule.cronExpression) : firstPlan;
  const form = useForm<typeof SavedSchedule, Values>({
    schema: SavedSchedule,
    version: record?.version,
    initial: {
      projectId: record && { id: record.projectId, name: record.projectName },
      plan,
      timeZone: record?.schedule.timeZone ?? viewerZone,
      minAccuracy: record ? percentOf(record.minAccuracy) : minPercentDefault,
      repeats: record?.repeats ?? 1,
      maxTokens: record?.maxTokens ?? null,
    },
    toBody: ({ projectId, plan: next, timeZone, minAccuracy, repeats, maxTokens }) => ({
      ...(projectId && { projectId: projectId.id }),
      cronExpression: expressionOf(next),
      timeZone,
      maxTokens,
      ...(minAccuracy !== null && { minAccuracy: minAccuracy / 100 }),
      ...(repeats !== null && { repeats }),
    }),
    send: async (body) => {
      const saved = await save.mutateAsync({ body });
      toastDone(`“${saved.projectName}” is evaluated by its schedule.`);
      onSaved();
    },
  });
  return form;
}
