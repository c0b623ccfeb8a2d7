import { type Task, type TaskListState, taskAssignees, taskListStates, taskPriorities } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { BulkActs } from './bulk-acts.tsx';
import { tasks } from './requests/tasks.ts';
import { taskColumns } from './task-columns.tsx';

const oneOf = <T extends string>(members: readonly T[], text: string | undefined): T | undefined =>
  members.find((member) => member === text);
const idOf = (text: string | undefined): number | undefined => {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const read = ({
  state,
  assignee,
  priority,
  isOverdue,
  projectId,
  subscriptionId,
  contractId,
  ...rest
}: ListState) => {
  const narrowed = {
    state: oneOf(taskListStates, state),
    assignee: oneOf(taskAssignees, assignee),
    priority: oneOf(taskPriorities, priority),
    projectId: idOf(projectId),
    subscriptionId: idOf(subscriptionId),
    contractId: idOf(contractId),
    isOverdue: isOverdue === 'true' ? true : undefined,
  };
  const filter = Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined));
  return tasks({ ...rest, ...filter });
};

const assigneeWords = { Me: 'Me', Nobody: 'Nobody', Somebody: 'Anybody' } as const;
/** States for the filter. Without a filter, the list shows open tasks. */
const otherStates = taskListStates.filter((state): state is TaskListState => state !== 'Open');

const bulk = {
  nameOf: (row: Task) => row.name,
  acts: (selection: Selection<Task>) => <BulkActs selection={selection} />,
};

/** Tasks that subscriptions and contracts created. */
export function TasksPage() {
  const { canWrite } = useRights();
  return (
    <ListPage
      id="tasks"
      title="Tasks"
      icon="task"
      searchLabel="Search by query"
      read={read}
      columns={taskColumns}
      filters={[
        {
          name: 'state',
          label: 'State',
          options: otherStates.map((state) => ({ value: state, label: state })),
        },
        {
          name: 'assignee',
          label: 'Assignee',
          options: taskAssignees.map((value) => ({ value, label: assigneeWords[value] })),
        },
        {
          name: 'priority',
          label: 'Priority',
          options: taskPriorities.map((value) => ({ value, label: value })),
        },
        { name: 'isOverdue', label: 'Overdue', options: [{ value: 'true', label: 'Yes' }] },
        { name: 'projectId', label: 'Project', find: findProjects, one: project },
      ]}
      keyOf={(row) => row.id}
      to={(row) => paths.task(row.id)}
      bulk={canWrite ? bulk : undefined}
      empty={{
        title: 'No open tasks',
        text: 'A subscription that creates tasks opens one when a run finds rows, and resolves it when they are gone.',
        action: <LinkButton to={paths.subscriptions()}>See subscriptions</LinkButton>,
      }}
    />
  );
}
