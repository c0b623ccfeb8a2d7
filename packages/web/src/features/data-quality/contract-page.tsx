import { Button } from '@mantine/core';
import { type ContractEvaluation, type DataContract, evaluateDataContract } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../access/use-rights.ts';
import { limitText, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time, Until } from '../../ui/text/time.tsx';
import { AlertStatus } from '../../views/alerts/alert-status.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { quietInWords } from '../../views/quiet-hours/quiet-hours.ts';
import { alertModeWords, evaluationReasonWords, failureWords } from './alert-words.ts';
import { ContractActs } from './contract-acts.tsx';
import { ContractRecipients } from './contract-recipients.tsx';
import { Evaluations, shown } from './evaluations.tsx';
import { failureInWords, Outcome, Score } from './outcome.tsx';
import { Owner } from './owner.tsx';
import { contract, evaluation, evaluations } from './requests/contracts.ts';
import { RuleResults } from './rule-results.tsx';
import { tableName } from './table-name.ts';

/** Page of one data contract: its rules with their results, and its evaluations. */
export function ContractPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={contract(id)}>{(record) => <ContractView key={record.id} record={record} />}</Record>;
}

function ContractView({ record }: { readonly record: DataContract }) {
  const rights = useRights();
  const evaluate = useChange(evaluateDataContract);
  const list = useQuery(evaluations(record.id, shown));
  const latest = list.data?.items[0];
  const isUnderWay = latest?.status === 'Queued' || latest?.status === 'Running';
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.dataQuality(), label: 'Data quality' }}
        facts={
          <>
            <span role="status">{latest && <Outcome status={latest.status} />}</span>
            <code>{tableName(record)}</code>
            {!record.isEnabled && <Tag>Off</Tag>}
            {record.alertState !== null && (
              <AlertStatus alert={record.alertState} quiet="No alert" pending="Failing, alert pending" />
            )}
            {record.snoozedUntil !== null && <Tag>Snoozed</Tag>}
            <ManagedBadge kind="Contract" id={record.id} />
          </>
        }
        actions={
          rights.canWrite && (
            <>
              <ContractActs record={record} />
              <Button
                variant="filled"
                loading={evaluate.isPending || isUnderWay}
                onClick={() => evaluate.mutate({ params: { id: record.id } })}
              >
                Evaluate now
              </Button>
            </>
          )
        }
      />
      {evaluate.isError && <ProblemNote error={evaluate.error} />}
      {record.lastMissed !== null && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>
            {plural(record.lastMissed.missedCount, 'evaluation')} did not start in time, due from{' '}
            <Time at={record.lastMissed.firstDueAt} /> to <Time at={record.lastMissed.lastDueAt} />.
          </span>
        </p>
      )}
      {record.failsOn === 'Score' && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="about" />
          <span>
            A failed rule fails this contract only if it is critical or the score is below{' '}
            {limitText(record.failScore)}. Contracts of earlier versions keep this setting. To fail on each
            failed rule, edit the contract.
          </span>
        </p>
      )}
      {record.snoozedUntil !== null && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="notification" />
          <span>
            Alerts are snoozed <Until at={record.snoozedUntil} />
            {record.snoozeReason === null ? '.' : `: ${record.snoozeReason}`}
          </span>
        </p>
      )}
      <Detail
        sections={[
          {
            id: 'rules',
            label: 'Rules',
            count: record.rules.length,
            content: <Rules record={record} items={list.data?.items ?? []} />,
          },
          {
            id: 'evaluations',
            label: 'Evaluations',
            count: list.data?.totalCount,
            content: <Evaluations record={record} list={list} />,
          },
          {
            id: 'recipients',
            label: 'Recipients',
            count: record.recipients.length,
            content: <ContractRecipients record={record} canWrite={rights.canWrite} />,
          },
        ]}
        side={<Facts facts={factsOf(record)} />}
      />
    </>
  );
}

type RulesProps = { readonly record: DataContract; readonly items: readonly ContractEvaluation[] };

/** Rules with the results of the evaluation in the address, or of the last evaluation that ended. */
function Rules({ record, items }: RulesProps) {
  const [{ evaluation: named }, change] = useAddress();
  const last = items.find(({ finishedAt }) => finishedAt !== null);
  const chosen = Number(named) || last?.id;
  const detail = useQuery({ ...evaluation(record.id, chosen ?? 0), enabled: chosen !== undefined });
  const shownOne = detail.data?.id === chosen ? detail.data : undefined;
  const ended = shownOne ?? (chosen === last?.id ? last : undefined);
  return (
    <div className="stack-tight">
      {ended && (
        <p className="soft">
          {chosen === last?.id ? 'Last evaluated' : 'As evaluated'}{' '}
          <Time at={ended.finishedAt ?? ended.createdTime} />, score{' '}
          <Score value={ended.score} limits={limitsOf(record, ended)} />
          {failureInWords(ended)}
          {ended.reason !== null && `. Not evaluated: ${evaluationReasonWords[ended.reason]}`}
          {chosen !== last?.id && (
            <>
              .{' '}
              <Button size="compact-sm" onClick={() => change({ evaluation: undefined })}>
                Show the last one
              </Button>
            </>
          )}
        </p>
      )}
      {detail.isLoadingError && <ProblemNote error={detail.error} />}
      <RuleResults
        rules={record.rules}
        results={shownOne?.results}
        isAwaited={detail.isFetching && !shownOne}
      />
    </div>
  );
}

/** Returns the limits that the page shows next to the score of an evaluation. */
const limitsOf = (record: DataContract, { failScore }: ContractEvaluation): readonly number[] => [
  record.warnScore,
  record.failScore,
  ...(failScore === null ? [] : [failScore]),
];

/** States whether failures create tasks, with a link to the created tasks. */
function TasksOf({ record }: { readonly record: DataContract }) {
  if (!record.createTasks) return 'Not created';
  const within = record.slaHours === null ? '' : `, due within ${plural(record.slaHours, 'hour')}`;
  return <Link to={paths.tasks({ contractId: record.id, state: 'All' })}>{`Created${within}`}</Link>;
}

function factsOf(record: DataContract): readonly Fact[] {
  const { schedule, recipients } = record;
  return [
    { label: 'Description', value: record.description ?? <span className="soft">None</span> },
    {
      label: 'Data source',
      value: <Link to={paths.dataSource(record.dataSourceId)}>{record.dataSourceName}</Link>,
    },
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    { label: 'Owner', value: <Owner record={record} /> },
    {
      label: 'Schedule',
      value:
        schedule === null ? (
          <span className="soft">None</span>
        ) : (
          `${schedule.description} (${schedule.timeZone})${record.isEnabled ? '' : ', switched off'}`
        ),
    },
    ...(schedule?.nextTimes[0] !== undefined && record.isEnabled
      ? [{ label: 'Next evaluation', value: <Time at={schedule.nextTimes[0]} /> }]
      : []),
    { label: 'Fails', value: failureWords[record.failsOn] },
    { label: 'Warns below', value: <span className="mono">{limitText(record.warnScore)}</span> },
    { label: 'Fails below', value: <span className="mono">{limitText(record.failScore)}</span> },
    {
      label: 'Sent to',
      value:
        recipients.length === 0 ? (
          <span className="soft">The owner, as a notice</span>
        ) : (
          recipients.map(({ name }) => name).join(', ')
        ),
    },
    {
      label: 'Alerts',
      value: `${alertModeWords[record.alertMode]}${record.alertsOnWarning ? ' or warns' : ''}`,
    },
    ...(record.quietHours === null ? [] : [{ label: 'Quiet hours', value: quietInWords(record.quietHours) }]),
    { label: 'Tasks', value: <TasksOf record={record} /> },
    { label: 'Failing rows', value: record.keepsSamples ? 'At most 20 a rule kept, masked' : 'Not kept' },
    { label: 'Created', value: <Time at={record.createdTime} /> },
  ];
}
