import type { DataContract } from '@svc/contract';
import { limitText, plural } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Link } from '../../../ui/frame/link.tsx';
import type { Fact } from '../../../ui/record/facts.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { quietInWords } from '../../../views/quiet-hours/quiet-hours.ts';
import { alertModeWords, failureWords } from '../alert-words.ts';
import { Owner } from '../owner.tsx';

/** Returns the facts of a contract: its data, its schedule and its alerts. */
export function contractFacts(record: DataContract): readonly Fact[] {
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

/** Link to the tasks that failures have created, if they create any. */
function TasksOf({ record }: { readonly record: DataContract }) {
  if (!record.createTasks) return 'Not created';
  const within = record.slaHours === null ? '' : `, due within ${plural(record.slaHours, 'hour')}`;
  return <Link to={paths.tasks({ contractId: record.id, state: 'All' })}>{`Created${within}`}</Link>;
}
