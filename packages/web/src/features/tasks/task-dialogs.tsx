import {
  AddTaskCommentBody,
  AssignTaskBody,
  addTaskComment,
  assignTask,
  ResolveTaskBody,
  resolveTask,
  SnoozeTaskBody,
  snoozeTask,
  type TaskDetail,
  taskCommentLengthMax,
  taskNotesLengthMax,
} from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { exactTime } from '../../lib/format.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import { SnoozeSpans, spanDefault, untilOf } from '../../views/snooze/snooze-spans.tsx';
import { findAssignees } from './requests/tasks.ts';

type Props = { readonly record: TaskDetail; readonly onClose: () => void };

const touches = ['home', 'notices'];

/** Resolves a task in the version that the page shows, with a comment. */
export function ResolveDialog({ record, onClose }: Props) {
  const resolve = useChange(resolveTask, { touches, headers: () => ifUnchanged(record.version) });
  const form = useForm({
    schema: ResolveTaskBody,
    initial: { resolutionNotes: '' },
    toBody: ({ resolutionNotes }) => ({ resolutionNotes: resolutionNotes.trim() || null }),
    send: async (body) => {
      await resolve.mutateAsync({ params: { id: record.id }, body });
      toastDone('The task is resolved.');
      onClose();
    },
  });
  return (
    <FormDialog title="Resolve this task?" form={form} act="Resolve task" onClose={onClose}>
      <p>If a later run finds rows again, it opens a new task that links to this one.</p>
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

/** Assigns a task to a user who can read it. */
export function AssignDialog({ record, onClose }: Props) {
  const assign = useChange(assignTask, { touches, headers: () => ifUnchanged(record.version) });
  const present: Named | null =
    record.assigneeUserId === null
      ? null
      : { id: record.assigneeUserId, name: record.assigneeName ?? 'Somebody' };
  const form = useForm({
    schema: AssignTaskBody,
    initial: { assigneeUserId: present },
    toBody: ({ assigneeUserId }) => ({ assigneeUserId: assigneeUserId?.id ?? null }),
    send: async (body) => {
      await assign.mutateAsync({ params: { id: record.id }, body });
      toastDone(body.assigneeUserId === null ? 'Task unassigned.' : 'Task assigned.');
      onClose();
    },
  });
  return (
    <FormDialog title="Assign this task" form={form} act="Assign task" onClose={onClose}>
      <FoundSelect
        label="Assignee"
        description="People who can read the project. Empty: nobody."
        find={findAssignees(record.id)}
        value={form.values.assigneeUserId}
        onChange={(picked) => form.set('assigneeUserId', picked)}
        error={form.errorOf('assigneeUserId')}
        clearable
        data-autofocus
      />
    </FormDialog>
  );
}

/** Snoozes a task. */
export function SnoozeDialog({ record, onClose }: Props) {
  const snooze = useChange(snoozeTask, { touches, headers: () => ifUnchanged(record.version) });
  const form = useForm({
    schema: SnoozeTaskBody,
    initial: { snoozeUntil: spanDefault },
    toBody: ({ snoozeUntil }) => ({ snoozeUntil: untilOf(snoozeUntil) }),
    send: async (body) => {
      await snooze.mutateAsync({ params: { id: record.id }, body });
      toastDone(`The task is snoozed until ${exactTime(body.snoozeUntil ?? '')}.`);
      onClose();
    },
  });
  return (
    <FormDialog title="Snooze this task" form={form} act="Snooze task" onClose={onClose}>
      <p>It leaves the list until then, or until a run finds more rows than it has now.</p>
      <SnoozeSpans
        value={form.values.snoozeUntil}
        onChange={(hours) => form.set('snoozeUntil', hours)}
        error={form.errorOf('snoozeUntil')}
      />
    </FormDialog>
  );
}

/** Adds a comment to a task. Its followers are notified. */
export function CommentDialog({ record, onClose }: Props) {
  const comment = useChange(addTaskComment, { touches });
  const form = useForm({
    schema: AddTaskCommentBody,
    initial: { content: '' },
    toBody: ({ content }) => ({ content: content.trim() }),
    send: async (body) => {
      await comment.mutateAsync({ params: { id: record.id }, body });
      toastDone('Comment added.');
      onClose();
    },
  });
  return (
    <FormDialog title="Comment on this task" form={form} act="Add comment" onClose={onClose}>
      <TextAreaField
        form={form}
        name="content"
        label="Comment"
        description="The assignee and watchers get a notice."
        maxLength={taskCommentLengthMax}
        data-autofocus
      />
    </FormDialog>
  );
}
