import { Button } from '@mantine/core';
import { type Notice, readAllNotices, readNotice } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { unreadNotices } from '../../requests/notices.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Time } from '../../ui/text/time.tsx';

/** Unread notices about the user's own subscriptions and tasks. Renders nothing without unread notices. */
export function OwnNotices() {
  const unread = useQuery(unreadNotices);
  const readAll = useChange(readAllNotices);
  const { items = [], unreadCount = 0 } = unread.data ?? {};
  if (items.length === 0) return null;
  return (
    <section
      aria-label="About your subscriptions and tasks"
      className="panel stack"
      style={{ padding: 12, marginBottom: 16 }}
    >
      <div className="row">
        <strong className="grow">About your subscriptions and tasks</strong>
        {unreadCount > 1 && (
          <Button
            size="compact-sm"
            loading={readAll.isPending}
            onClick={() => void readAll.mutateAsync({}).catch(toastProblem)}
          >
            Mark all {unreadCount} as read
          </Button>
        )}
      </div>
      {items.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

/** Returns the path of the notice's subject, if it has a page. */
function targetOf({ notificationId, subjectKind, subjectId }: Notice): string | undefined {
  if (subjectKind === 'Task' && subjectId !== null) return paths.task(subjectId);
  if (notificationId !== null) return paths.notification(notificationId);
  if (subjectKind === 'Contract' && subjectId !== null) return paths.contract(subjectId);
  if (subjectKind === 'AiActor' && subjectId !== null) return paths.aiActor(subjectId);
  if (subjectKind === 'ApiKey') return paths.apiKeys();
  if (subjectKind === 'MigrationJob' && subjectId !== null) return paths.migrationJob(subjectId);
  if (subjectKind === 'EvaluationSchedule') return paths.evaluation({ tab: 'schedules' });
  if (subjectKind === 'Settings') return paths.adminSettings();
  if (subjectKind === 'Query' && subjectId !== null) return paths.query(subjectId);
  return subjectKind === 'Subscription' && subjectId !== null ? paths.subscription(subjectId) : undefined;
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const markRead = useChange(readNotice);
  const target = targetOf(notice);
  return (
    <div className="row wrap">
      <span className="grow" style={{ flexBasis: 240, overflowWrap: 'anywhere' }}>
        {target === undefined ? notice.text : <Link to={target}>{notice.text}</Link>}
      </span>
      <Time at={notice.createdTime} isQuiet />
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Mark as read: ${notice.text}`}
        loading={markRead.isPending}
        onClick={() => void markRead.mutateAsync({ params: { id: notice.id } }).catch(toastProblem)}
      >
        Mark as read
      </Button>
    </div>
  );
}
