import type { AiActor, AiPlanSummary } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ActorActs } from './actor-acts.tsx';
import { ActorState, PlanStatus } from './actor-words.tsx';
import { aiActor, aiActorPlans } from './requests/actors.ts';
import { Thinks } from './thinks.tsx';

/** Page of one AI actor: plans that wait for a decision, its thinks, and the records that it created. */
export function ActorPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={aiActor(id)}>{(record) => <ActorView key={record.id} actor={record} />}</Record>;
}

function ActorView({ actor }: { readonly actor: AiActor }) {
  return (
    <>
      <PageHeader
        title={actor.name}
        parent={{ to: paths.aiActors(), label: 'AI actors' }}
        facts={
          <>
            <span role="status">
              <ActorState state={actor.state} />
            </span>
            {actor.openThinkId !== null && <Tag>Thinking</Tag>}
          </>
        }
        actions={
          <>
            {actor.pendingPlanId !== null && (
              <LinkButton to={paths.aiPlan(actor.pendingPlanId)}>Pending plan</LinkButton>
            )}
            {actor.canManage && actor.state !== 'Archived' && <ActorActs actor={actor} />}
          </>
        }
      />
      {actor.lastFailure !== null && (
        <p role="note" className="panel" style={{ padding: 12, marginBottom: 16 }}>
          Its last think failed. {actor.lastFailure}
        </p>
      )}
      <Detail
        sections={[
          { id: 'plans', label: 'Plans', content: <Plans actor={actor} /> },
          { id: 'thinks', label: 'Thinks', count: actor.thinkCount, content: <Thinks actorId={actor.id} /> },
          { id: 'queries', label: 'Queries', count: actor.queryCount, content: <Queries actor={actor} /> },
        ]}
        side={<Facts facts={factsOf(actor)} />}
      />
    </>
  );
}

const planColumns: readonly Column<AiPlanSummary>[] = [
  {
    id: 'plan',
    label: 'Plan',
    cell: (row) => (row.analysis === '' ? plural(row.actionCount, 'action') : row.analysis),
  },
  { id: 'status', label: 'Status', width: '136px', cell: (row) => <PlanStatus status={row.status} /> },
  {
    id: 'actions',
    label: 'Actions',
    width: '80px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{count(row.actionCount)}</span>,
  },
  {
    id: 'by',
    label: 'Decided by',
    width: '136px',
    from: 800,
    cell: (row) => row.decidedByUserName ?? '',
  },
  {
    id: 'when',
    label: 'Made',
    width: '104px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

function Plans({ actor }: { readonly actor: AiActor }) {
  const list = useQuery(aiActorPlans(actor.id));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0)
    return (
      <Empty icon="approval" title="No plans yet">
        {actor.state === 'Active'
          ? 'Have it think: its proposals become a plan, which somebody else approves.'
          : 'Activate it, then have it think.'}
      </Empty>
    );
  return (
    <Table
      label="Plans"
      columns={planColumns}
      rows={list.data?.items}
      keyOf={(row) => row.id}
      to={(row) => paths.aiPlan(row.id)}
    />
  );
}

type Query = AiActor['queries'][number];

const queryColumns: readonly Column<Query>[] = [
  { id: 'name', label: 'Query', cell: (row) => row.name },
  { id: 'lock', label: 'Lock', width: '96px', cell: (row) => (row.isLocked ? <Tag>Locked</Tag> : '') },
  {
    id: 'subscriptions',
    label: 'Subscriptions',
    width: '120px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{count(row.subscriptionCount)}</span>,
  },
];

function Queries({ actor }: { readonly actor: AiActor }) {
  if (actor.queries.length === 0)
    return (
      <Empty icon="query" title="No queries yet">
        Queries from applied plans appear here.
      </Empty>
    );
  return (
    <>
      <Table
        label="Queries of the actor"
        columns={queryColumns}
        rows={actor.queries}
        keyOf={(row) => row.queryId}
        to={(row) => paths.query(row.queryId)}
      />
      <p className="soft">
        Lock a query to keep the actor from changing it. A query that a person edits is no longer the actor’s.
      </p>
    </>
  );
}

function factsOf(actor: AiActor): readonly Fact[] {
  const none = <span className="soft">None</span>;
  return [
    { label: 'Watches', value: actor.instructions },
    ...(actor.additionalContext === null ? [] : [{ label: 'Knows', value: actor.additionalContext }]),
    {
      label: 'Data source',
      value: <Link to={paths.dataSource(actor.dataSourceId)}>{actor.dataSourceName}</Link>,
    },
    { label: 'Project', value: <Link to={paths.project(actor.projectId)}>{actor.projectName}</Link> },
    { label: 'Owner', value: actor.ownerName ?? <span className="soft">Nobody</span> },
    {
      label: 'Schedule',
      value:
        actor.thinkSchedule === null ? (
          none
        ) : (
          <>
            <code>{actor.thinkSchedule}</code> {actor.timeZone}
          </>
        ),
    },
    ...(actor.nextThinkAt === null ? [] : [{ label: 'Next', value: <Time at={actor.nextThinkAt} /> }]),
    { label: 'After its runs', value: actor.isThinkingAfterRuns ? 'Yes' : 'No' },
    {
      label: 'Sent to',
      value:
        actor.defaultRecipientIds.length === 0
          ? 'Nobody; it opens tasks'
          : plural(actor.defaultRecipientIds.length, 'recipient'),
    },
    {
      label: 'Queries',
      value: `${count(actor.queryCount)} of ${count(actor.maxQueries)}`,
    },
    {
      label: 'Tokens this month',
      value: `${count(actor.tokensThisMonth)} of ${count(actor.monthlyTokens)}`,
    },
    {
      label: 'Queries need approval',
      value: actor.requiresApproval ? 'Yes' : 'No, they are saved at once',
    },
    { label: 'Updated', value: <Time at={actor.updatedAt} /> },
  ];
}
