import type { Task, TaskPriority } from '@svc/contract';
import { Status, Tag, type Tone } from '../../ui/record/status.tsx';

/** Returns the state of a task. The most important state takes precedence. */
export function stateOf({ state, isOverdue, snoozedUntil }: Task): { tone: Tone; word: string } {
  if (state === 'Resolved') return { tone: 'green', word: 'Resolved' };
  if (snoozedUntil !== null) return { tone: 'neutral', word: 'Snoozed' };
  return isOverdue ? { tone: 'red', word: 'Overdue' } : { tone: 'amber', word: 'Open' };
}

export function TaskState({ task }: { readonly task: Task }) {
  const { tone, word } = stateOf(task);
  return <Status tone={tone}>{word}</Status>;
}

/** Priority of a task. Renders nothing for the normal priority. */
export const Priority = ({ priority }: { readonly priority: TaskPriority }) =>
  priority === 'Normal' ? null : <Tag>{priority}</Tag>;
