import { NumberInput } from '@mantine/core';
import { type EvalSchedule, SavedSchedule, saveEvalSchedule } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { viewerZone } from '../../lib/format.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { findProjects } from '../../requests/projects.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import { WholeNumber } from '../../ui/form/whole-number.tsx';
import { expressionOf, firstPlan, type Plan, planOf } from '../../views/schedule/cron.ts';
import { ScheduleFields } from '../../views/schedule/schedule-fields.tsx';
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
const repeatsMax = 5;

type Props = {
  /** Null: a new schedule. */
  readonly record: EvalSchedule | null;
  readonly onClose: () => void;
};

/** Dialog for the evaluation schedule of a project, with the minimum accuracy. */
export function EvalScheduleDialog({ record, onClose }: Props) {
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
      onClose();
    },
  });
  const { values } = form;
  return (
    <FormDialog
      title={record ? `Edit the schedule of “${record.projectName}”` : 'New schedule'}
      form={form}
      act={record ? 'Save' : 'Add schedule'}
      onClose={onClose}
      size={600}
    >
      {record === null && (
        <FoundSelect
          label="Project"
          placeholder="Choose a project"
          find={findProjects}
          value={values.projectId}
          error={form.errorOf('projectId')}
          onChange={(picked) => form.set('projectId', picked)}
        />
      )}
      <ScheduleFields
        plan={values.plan}
        timeZone={values.timeZone}
        onPlan={(next) => form.set('plan', next)}
        onTimeZone={(next) => form.set('timeZone', next)}
      />
      <NumberInput
        label="Right answers wanted, in percent"
        description="Below this you get a notice, and another when it is reached again."
        min={0}
        max={100}
        decimalScale={3}
        value={values.minAccuracy ?? ''}
        error={form.errorOf('minAccuracy')}
        onChange={(next) => form.set('minAccuracy', next === '' ? null : Number(next))}
        w={272}
      />
      <NumberInput
        label="How often each question is asked"
        min={1}
        max={repeatsMax}
        allowDecimal={false}
        value={values.repeats ?? ''}
        error={form.errorOf('repeats')}
        onChange={(next) => form.set('repeats', next === '' ? null : Number(next))}
        w={272}
      />
      <WholeNumber
        label="Tokens of one evaluation (optional)"
        value={values.maxTokens}
        error={form.errorOf('maxTokens')}
        onChange={(next) => form.set('maxTokens', next)}
      />
    </FormDialog>
  );
}
