import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  reopenTask,
  setTaskPriority,
  snoozeTask,
  type TaskDetail,
  taskPriorities,
  unwatchTask,
  watchTask,
} from '@svc/contract';
import { useState } from 'react';
import { useChange } from '../../lib/server-state.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { usePageShortcuts } from '../../ui/frame/keys/keys.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { AssignDialog, CommentDialog, ResolveDialog, SnoozeDialog } from './task-dialogs.tsx';

type Open = 'resolve' | 'assign' | 'snooze' | 'comment';
const dialogs = {
  resolve: ResolveDialog,
  assign: AssignDialog,
  snooze: SnoozeDialog,
  comment: CommentDialog,
} as const;

const labels: Readonly<Record<Open, string>> = {
  resolve: 'Resolve the task',
  assign: 'Assign the task',
  snooze: 'Snooze the task',
  comment: 'Comment on the task',
};

/** Actions of a task. The keys r, s, a and c open their dialogs. */
export function TaskActs({ record }: { readonly record: TaskDetail }) {
  const [open, setOpen] = useState<Open | null>(null);
  const { canAct } = record;
  const isOpen = record.state === 'Open';
  const offered: readonly Open[] = canAct
    ? [...(isOpen ? (['resolve', 'assign', 'snooze'] as const) : []), 'comment']
    : [];
  usePageShortcuts(
    offered.map((act) => ({ keys: act.charAt(0), label: labels[act], run: () => setOpen(act) })),
  );
  const reopen = useChange(reopenTask, { touches: ['home'] });
  // An action that ends late closes only its own dialog.
  const close = () => setOpen((present) => (present === open ? null : present));
  const OpenDialog = open && dialogs[open];
  return (
    <>
      <Watch record={record} />
      {canAct && (
        <>
          <Button onClick={() => setOpen('comment')}>Comment</Button>
          {isOpen && <Button onClick={() => setOpen('assign')}>Assign</Button>}
          {isOpen && <MoreActs record={record} onSnooze={() => setOpen('snooze')} />}
          {isOpen ? (
            <Button variant="filled" leftSection={<Icon name="check" />} onClick={() => setOpen('resolve')}>
              Resolve
            </Button>
          ) : (
            <Button
              variant="filled"
              loading={reopen.isPending}
              onClick={() => void reopen.mutateAsync({ params: { id: record.id } }).catch(toastProblem)}
            >
              Reopen
            </Button>
          )}
        </>
      )}
      {OpenDialog && <OpenDialog record={record} onClose={close} />}
    </>
  );
}

function Watch({ record }: { readonly record: TaskDetail }) {
  const watch = useChange(watchTask);
  const unwatch = useChange(unwatchTask);
  const change = record.isWatching ? unwatch : watch;
  return (
    <Button
      loading={change.isPending}
      onClick={() => void change.mutateAsync({ params: { id: record.id } }).catch(toastProblem)}
    >
      {record.isWatching ? 'Stop watching' : 'Watch'}
    </Button>
  );
}

function MoreActs({ record, onSnooze }: { readonly record: TaskDetail; readonly onSnooze: () => void }) {
  const prioritise = useChange(setTaskPriority);
  const wake = useChange(snoozeTask, { touches: ['home'] });
  const params = { id: record.id };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="More actions">
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {record.snoozedUntil === null ? (
          <Menu.Item onClick={onSnooze}>Snooze</Menu.Item>
        ) : (
          <Menu.Item
            onClick={() => void wake.mutateAsync({ params, body: { snoozeUntil: null } }).catch(toastProblem)}
          >
            End the snooze
          </Menu.Item>
        )}
        <Menu.Label>Priority</Menu.Label>
        {taskPriorities.map((priority) => (
          <Menu.Item
            key={priority}
            rightSection={priority === record.priority ? <Icon name="check" /> : undefined}
            onClick={() => void prioritise.mutateAsync({ params, body: { priority } }).catch(toastProblem)}
          >
            {priority}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
