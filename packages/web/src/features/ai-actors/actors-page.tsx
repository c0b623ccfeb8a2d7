import { type AiActorSummary, aiActorStates } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ActorState } from './actor-words.tsx';
import { aiActors } from './requests/actors.ts';

const columns: readonly Column<AiActorSummary>[] = [
  { id: 'name', label: 'Actor', sort: 'name', cell: (row) => row.name },
  { id: 'state', label: 'State', width: '104px', cell: (row) => <ActorState state={row.state} /> },
  {
    id: 'plan',
    label: 'Plan',
    width: '104px',
    from: 480,
    cell: (row) => (row.pendingPlanId === null ? '' : <Tag>Waiting</Tag>),
  },
  { id: 'source', label: 'Data source', width: '18%', from: 800, cell: (row) => row.dataSourceName },
  { id: 'project', label: 'Project', width: '16%', from: 960, cell: (row) => row.projectName },
  {
    id: 'owner',
    label: 'Owner',
    width: '136px',
    from: 960,
    cell: (row) => row.ownerName ?? '',
  },
  {
    id: 'last',
    label: 'Last think',
    sort: 'lastThinkAt',
    width: '112px',
    align: 'right',
    from: 640,
    cell: (row) =>
      row.lastThinkAt === null ? (
        <span className="soft">None yet</span>
      ) : (
        <Time at={row.lastThinkAt} isQuiet />
      ),
  },
];

const read = ({ state, ...rest }: ListState) => {
  const actorState = aiActorStates.find((one) => one === state);
  return aiActors({ ...rest, ...(actorState && { state: actorState }) });
};

/** AI actors of the projects that the user can read. */
export function ActorsPage() {
  const { canWrite } = useRights();
  const add = canWrite && (
    <LinkButton to={paths.newAiActor()} variant="filled">
      New actor
    </LinkButton>
  );
  return (
    <ListPage
      id="ai-actors"
      title="AI actors"
      hasHelp
      icon="actor"
      searchLabel="Search by name"
      read={read}
      columns={columns}
      filters={[
        { name: 'projectId', label: 'Project', find: findProjects, one: project },
        { name: 'state', label: 'State', options: aiActorStates.map((value) => ({ value, label: value })) },
      ]}
      keyOf={(row) => row.id}
      to={(row) => paths.aiActor(row.id)}
      action={add}
      empty={{
        title: 'No AI actors yet',
        text: 'An actor looks at the schema of a data source and proposes queries, subscriptions and data contracts. It sees no rows, and nothing happens before somebody else approves its plan.',
        action: add,
      }}
    />
  );
}
