import { NumberInput } from '@mantine/core';
import type { EvalSchedule } from '@svc/contract';
import { findProjects } from '../../requests/projects.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FoundSelect } from '../../ui/form/found-select.tsx';
import { WholeNumber } from '../../ui/form/whole-number.tsx';
import { ScheduleFields } from '../../views/schedule/schedule-fields.tsx';
import { useEvalScheduleForm } from './use-eval-schedule-form.ts';

const repeatsMax = 5;

type Props = {
  /** Null: a new schedule. */
  readonly record: EvalSchedule | null;
  readonly onClose: () => void;
};

/** Dialog for the evaluation schedule of a project, with the minimum accuracy. */
export function EvalScheduleDialog({ record, onClose }: Props) {
  const form = useEvalScheduleForm(record, onClose);
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
