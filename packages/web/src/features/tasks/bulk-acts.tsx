import { Button, Menu } from '@mantine/core';
import {
  type BodyOf,
  ChangeTasksBody,
  changeTasks,
  type Task,
  type TaskBulkAct,
  taskNotesLengthMax,
  taskPriorities,
} from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastFailed, toastProblem } from '../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { SnoozeSpans, spanDefault, untilOf } from '../../views/snooze/snooze-spans.tsx';
import { findAssignees } from './requests/tasks.ts';

type Change = Omit<BodyOf<typeof changeTasks>, 'taskIds'>;
type Props = { readonly selection: Selection<Task> };
type DialogProps = Props & {
  readonly change: (change: Change) => Promise<void>;
  readonly onClose: () => void;
};

const done: Readonly<Record<TaskBulkAct, string>> = {
  Resolve: 'resolved',
  Reopen: 'reopened',
  Assign: 'assigned',
  Snooze: 'snoozed',
  Prioritise: 'given their new priority',
};

const tasksOf = (amount: number): string => plural(amount, 'task');

/** Actions on several tasks. Refused tasks remain selected, with the reason. */
export function BulkActs({ selection }: Props) {
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const send = useChange(changeTasks, { touches: ['home', 'notices'] });
  const change = async (what: Change) => {
    const selected = selection.rows;
    const { results } = await send.mutateAsync({
      body: { ...what, taskIds: selected.map((task) => task.id) },
    });
    const refused = results.filter((result) => !result.isDone);
    const doneCount = results.length - refused.length;
    if (doneCount > 0) toastDone(`${tasksOf(doneCount)} ${done[what.act]}.`);
    const [first] = refused;
    if (first) {
      const name = selected.find((task) => task.id === first.id)?.name ?? '';
      const others = refused.length > 1 ? ` ${tasksOf(refused.length)} were not changed.` : '';
      toastFailed(`“${name}”: ${first.detail ?? first.code ?? 'refused'}${others}`);
    }
    selection.keep(refused.map((result) => result.id));
  };
  const now = (what: Change) => void change(what).catch(toastProblem);
  const hasOpen = selection.rows.some((task) => task.state === 'Open');
  const hasResolved = selection.rows.some((task) => task.state === 'Resolved');
  const Open = open && dialogs[open];
  return (
    <>
      {hasOpen && (
        <>
          <Button onClick={() => setOpen('assign')}>Assign</Button>
          <Button onClick={() => setOpen('snooze')}>Snooze</Button>
          <Menu>
            <Menu.Target>
              <Button rightSection={<Icon name="down" size={12} />}>Priority</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {taskPriorities.map((priority) => (
                <Menu.Item key={priority} onClick={() => now({ act: 'Prioritise', priority })}>
                  {priority}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Button variant="filled" leftSection={<Icon name="check" />} onClick={() => setOpen('resolve')}>
            Resolve
          </Button>
        </>
      )}
      {hasResolved && <Button onClick={() => now({ act: 'Reopen' })}>Reopen</Button>}
      {Open && <Open selection={selection} change={change} onClose={() => setOpen(null)} />}
    </>
  );
}

function ResolveDialog({ selection, change, onClose }: DialogProps) {
  const form = useForm({
    schema: ChangeTasksBody,
    initial: { resolutionNotes: '' },
    toBody: ({ resolutionNotes }) =>
      bodyOf(selection, { act: 'Resolve', resolutionNotes: resolutionNotes.trim() || null }),
    send: async ({ taskIds: _, ...what }) => {
      await change(what);
      onClose();
    },
  });
  const amount = tasksOf(selection.rows.length);
  return (
    <FormDialog title={`Resolve ${amount}?`} form={form} act={`Resolve ${amount}`} onClose={onClose}>
      <p>If a later run finds rows again, it opens a new task that links to the one before.</p>
      <TextAreaField
        form={form}
        name="resolutionNotes"
        label="Resolution (optional)"
        maxLength={taskNotesLengthMax}
        data-autofocus
      />
    </FormDialog>
  );
}

function AssignDialog({ selection, change, onClose }: DialogProps) {
  const form = useForm({
    schema: ChangeTasksBody,
    initial: { assigneeUserId: null as Named | null },
    toBody: ({ assigneeUserId }) =>
      bodyOf(selection, { act: 'Assign', assigneeUserId: assigneeUserId?.id ?? null }),
    send: async ({ taskIds: _, ...what }) => {
      await change(what);
      onClose();
    },
  });
  const amount = tasksOf(selection.rows.length);
  return (
    <FormDialog title={`Assign ${amount}`} form={form} act={`Assign ${amount}`} onClose={onClose}>
      <FoundSelect
        label="Assignee"
        description="People who can read the first one’s project. Tasks that they cannot read stay as they are. Empty: nobody."
        find={findAssignees(selection.rows[0]?.id ?? 0)}
        value={form.values.assigneeUserId}
        onChange={(picked) => form.set('assigneeUserId', picked)}
        error={form.errorOf('assigneeUserId')}
        clearable
        data-autofocus
      />
    </FormDialog>
  );
}

function SnoozeDialog({ selection, change, onClose }: DialogProps) {
  const form = useForm({
    schema: ChangeTasksBody,
    initial: { snoozeUntil: spanDefault },
    toBody: ({ snoozeUntil }) => bodyOf(selection, { act: 'Snooze', snoozeUntil: untilOf(snoozeUntil) }),
    send: async ({ taskIds: _, ...what }) => {
      await change(what);
      onClose();
    },
  });
  const amount = tasksOf(selection.rows.length);
  return (
    <FormDialog title={`Snooze ${amount}`} form={form} act={`Snooze ${amount}`} onClose={onClose}>
      <p>Each leaves the list until then, or until a run finds more rows than it has now.</p>
      <SnoozeSpans
        value={form.values.snoozeUntil}
        onChange={(hours) => form.set('snoozeUntil', hours)}
        error={form.errorOf('snoozeUntil')}
      />
    </FormDialog>
  );
}

const bodyOf = (selection: Selection<Task>, change: Change): BodyOf<typeof changeTasks> => ({
  ...change,
  taskIds: selection.rows.map((task) => task.id),
});

const dialogs = { resolve: ResolveDialog, assign: AssignDialog, snooze: SnoozeDialog } as const;
