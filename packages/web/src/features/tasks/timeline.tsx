import { Button } from '@mantine/core';
import type { TaskEvent, TaskEventKind } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Mark, type Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { taskEvents } from './requests/tasks.ts';
import classes from './timeline.module.css';

const pageSize = 20;
const pageSizeMax = 200;

const looks: Readonly<Record<TaskEventKind, { readonly tone: Tone; readonly word: string }>> = {
  Opened: { tone: 'amber', word: 'Opened' },
  CountChanged: { tone: 'blue', word: 'Count changed' },
  Assigned: { tone: 'neutral', word: 'Assigned' },
  Unassigned: { tone: 'neutral', word: 'Unassigned' },
  PriorityChanged: { tone: 'neutral', word: 'Priority changed' },
  Snoozed: { tone: 'neutral', word: 'Snoozed' },
  Woke: { tone: 'amber', word: 'No longer snoozed' },
  Overdue: { tone: 'red', word: 'Overdue' },
  Resolved: { tone: 'green', word: 'Resolved' },
  Reopened: { tone: 'amber', word: 'Reopened' },
  Commented: { tone: 'blue', word: 'Comment' },
  Acknowledged: { tone: 'amber', word: 'Alert acknowledged' },
  AcknowledgementWithdrawn: { tone: 'neutral', word: 'Acknowledgement withdrawn' },
};

/** History of a task, newest first. */
export function Timeline({ taskId }: { readonly taskId: number }) {
  const [size, setSize] = useState(pageSize);
  const events = useQuery({ ...taskEvents(taskId, size), placeholderData: keepPreviousData });
  if (events.isLoadingError)
    return <ProblemView error={events.error} onRetry={() => void events.refetch()} />;
  const { items = [], totalCount = 0 } = events.data ?? {};
  return (
    <>
      <ol className={classes['timeline']} aria-label="Timeline" aria-busy={events.isPending}>
        {items.map((event) => (
          <Entry key={event.id} event={event} />
        ))}
      </ol>
      {totalCount > items.length && size < pageSizeMax && (
        <div>
          <Button onClick={() => setSize(Math.min(size + 4 * pageSize, pageSizeMax))}>Show earlier</Button>
        </div>
      )}
    </>
  );
}

function Entry({ event }: { readonly event: TaskEvent }) {
  const { tone, word } = looks[event.kind];
  return (
    <li>
      <div className={classes['head']}>
        <Mark tone={tone} />
        <strong>{word}</strong>
        {event.comment !== null && <span>{event.comment}</span>}
        {event.notificationId !== null && <Link to={paths.notification(event.notificationId)}>The run</Link>}
        <span className={classes['by']}>
          <span>{event.userName ?? 'Svc'}</span>
          <Time at={event.createdTime} isQuiet />
        </span>
      </div>
      {event.content !== null && <p className={classes['content']}>{event.content}</p>}
    </li>
  );
}
