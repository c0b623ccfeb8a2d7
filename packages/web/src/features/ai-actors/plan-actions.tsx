import { Checkbox } from '@mantine/core';
import type { AiPlan, AiPlanAction, NotificationTrigger } from '@svc/contract';
import { plural, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { LineDifference } from '../../views/query-definition/line-difference.tsx';
import { textOf } from '../../views/results/cells.ts';
import { StatementText } from '../../views/sql/statement-text.tsx';
import { actionWords } from './actor-words.tsx';

type Props = {
  readonly plan: AiPlan;
  /** Ids of actions that the user excluded. */
  readonly omittedIds: ReadonlySet<number>;
  /** Absent if the user cannot choose actions. */
  readonly onToggle: ((id: number) => void) | undefined;
};

/** Actions of a plan, in the order in which the service applies them. */
export const PlanActions = ({ plan, omittedIds, onToggle }: Props) => (
  <ol className="stack" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
    {plan.actions.map((action) => (
      <li key={action.id}>
        <Action
          action={action}
          status={plan.status}
          isOmitted={omittedIds.has(action.id)}
          onToggle={onToggle && (() => onToggle(action.id))}
        />
      </li>
    ))}
  </ol>
);

type ActionProps = {
  readonly action: AiPlanAction;
  readonly status: AiPlan['status'];
  readonly isOmitted: boolean;
  readonly onToggle: (() => void) | undefined;
};

const subjectOf = (action: AiPlanAction): string => action.contractName ?? action.queryName ?? '';

function Action({ action, status, isOmitted, onToggle }: ActionProps) {
  const title = `${actionWords[action.type]}: ${subjectOf(action)}`;
  return (
    <article className="panel stack-tight" style={{ padding: 16 }} aria-label={title}>
      <div className="row wrap">
        {onToggle ? (
          <Checkbox label={<strong>{title}</strong>} checked={!isOmitted} onChange={onToggle} />
        ) : (
          <strong>{title}</strong>
        )}
        <span className="grow" />
        {action.isQueryLocked && <Tag>Query is locked</Tag>}
        {status === 'Applied' && <Tag>{action.isApplied ? 'Applied' : 'Left out'}</Tag>}
      </div>
      <p>{action.reasoning}</p>
      <What action={action} />
      <Sample action={action} about={subjectOf(action)} />
      <Result action={action} />
    </article>
  );
}

/**
 * Condition under which a subscription notifies, in words. An actor proposes neither anomaly detection nor remembered
 * rows.
 */
const triggerWords: Readonly<Record<NotificationTrigger, string>> = {
  OnResultCountChange: 'alerts when the number of rows changes',
  OnResultCountIncrease: 'alerts when there are more rows than in the last run',
  Always: 'sends every run',
  OnAnomaly: 'reports anomalies',
  OnRowChange: 'reports rows that are new, changed or gone',
  WhileRows: 'alerts when rows come and when they are gone',
};

/** Description of an action, by its type. */
function What({ action }: { readonly action: AiPlanAction }) {
  switch (action.type) {
    case 'CreateQuery':
      return action.sql === null ? null : <StatementText sql={action.sql} about={subjectOf(action)} />;
    case 'RefineQuery':
      return (
        <LineDifference
          before={{ label: 'Now', text: action.currentSql ?? '' }}
          after={{ label: 'Proposed', text: action.sql ?? '' }}
        />
      );
    case 'CreateSubscription':
    case 'ArchiveSubscription':
      return (
        <p>
          <code>{action.cronExpression}</code> {action.timeZone}
          {action.notificationTrigger !== null && `, ${triggerWords[action.notificationTrigger]}`}
          {action.minimumRowCount !== null && `, from ${plural(action.minimumRowCount, 'row')}`}
          {action.type === 'CreateSubscription' && <Told action={action} />}
        </p>
      );
    case 'CreateContract':
      return (
        <>
          <p>
            <code>{`${action.schemaName}.${action.tableName}`}</code>
            <Told action={action} />
          </p>
          <ul>
            {action.rules.map(({ name, type, columns, config }) => (
              <li key={`${type} ${name}`}>
                {name} <span className="soft">{words(type)}</span> <code>{columns.join(', ')}</code>{' '}
                {configText(config)}
              </li>
            ))}
          </ul>
        </>
      );
  }
}

const configText = (config: AiPlanAction['rules'][number]['config']): string =>
  Object.entries(config)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ');

const Told = ({ action }: { readonly action: AiPlanAction }) => (
  <span className="soft">
    {action.recipients.length === 0
      ? action.type === 'CreateContract'
        ? '. It sends nothing.'
        : '. It sends nothing: a task is opened.'
      : `. It sends to ${action.recipients.map(({ name }) => name).join(', ')}.`}
  </span>
);

type Row = readonly unknown[];

/** Rows of the run that tested the statement. The service masks them and deletes them when the plan is decided. */
function Sample({ action: { sample }, about }: { readonly action: AiPlanAction; readonly about: string }) {
  if (sample === null) return null;
  if (sample.rows.length === 0) return <p className="soft">It returns no rows now.</p>;
  return (
    <details>
      <summary>{`Rows it returns now${sample.isTruncated ? ', the first of them' : ''}`}</summary>
      <Table<Row>
        label={`Rows of ${about}`}
        columns={sample.columns.map((label, at) => ({
          id: `${at}`,
          label,
          cell: (row: Row) => (row[at] === null ? <span className="soft">NULL</span> : textOf(row[at])),
        }))}
        rows={sample.rows}
        keyOf={(row) => sample.rows.indexOf(row as never)}
      />
    </details>
  );
}

function Result({ action }: { readonly action: AiPlanAction }) {
  const { resultQueryId: query, resultSubscriptionId: subscription, resultContractId: contract } = action;
  if (subscription !== null) return <Link to={paths.subscription(subscription)}>Open the subscription</Link>;
  if (contract !== null) return <Link to={paths.contract(contract)}>Open the contract</Link>;
  if (query !== null) return <Link to={paths.query(query)}>Open the query</Link>;
  return null;
}
