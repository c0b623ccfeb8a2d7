import { ActionIcon, Menu } from '@mantine/core';
import { deleteEvalSchedule, type EvalSchedule, saveEvalSchedule } from '@svc/contract';
import { useState } from 'react';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { EvalScheduleDialog } from './eval-schedule-dialog.tsx';

/** Actions of an evaluation schedule. */
export function EvalScheduleMenu({ record }: { readonly record: EvalSchedule }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const save = useChange(saveEvalSchedule, { headers: () => ifUnchanged(record.version) });
  const remove = useChange(deleteEvalSchedule);
  const { projectId, projectName, schedule, minAccuracy, repeats, maxTokens, isPaused } = record;
  const turn = () => {
    const { cronExpression, timeZone } = schedule;
    const body = {
      projectId,
      cronExpression,
      timeZone,
      minAccuracy,
      repeats,
      maxTokens,
      isPaused: !isPaused,
    };
    void save.mutateAsync({ body }).catch(toastProblem);
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${projectName}`} size={28}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item onClick={turn}>{isPaused ? 'Resume' : 'Pause'}</Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EvalScheduleDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the schedule of “${projectName}”?`}
          act="Delete schedule"
          onConfirm={() => remove.mutateAsync({ query: { projectId } })}
          onClose={() => setOpen(null)}
        >
          The project is not evaluated by itself any more. Its evaluations stay.
        </ConfirmDialog>
      )}
    </>
  );
}
