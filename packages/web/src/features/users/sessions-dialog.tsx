import { Button } from '@mantine/core';
import { endUserSession, type User } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { sessionColumns } from '../../views/sessions/session-columns.tsx';
import { userSessions } from './requests/user-sessions.ts';

type Props = { readonly user: User; readonly onClose: () => void };

type Session = Parameters<(typeof sessionColumns)[number]['cell']>[0];

const addressColumn: Column<Session> = {
  id: 'address',
  label: 'From',
  width: '128px',
  from: 640,
  cell: (row) => <span className="mono">{row.clientAddress}</span>,
};

/** Sessions of a user, with an action that ends them. */
export function SessionsDialog({ user, onClose }: Props) {
  const list = useQuery(userSessions(user.id));
  const end = useChange(endUserSession);
  const more = list.data ? list.data.totalCount - list.data.items.length : 0;
  const endOne = (sessionId: number) =>
    end
      .mutateAsync({ params: { id: user.id, sessionId } })
      .then(() => toastDone(`A session of ${user.userName} was ended.`))
      .catch(toastProblem);
  return (
    <Dialog onClose={onClose} title={`Sessions of ${user.userName}`} size={720}>
      <div className="stack">
        {list.isLoadingError ? (
          <ProblemView error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data?.items.length === 0 ? (
          <p>{user.displayName ?? user.userName} is signed in nowhere.</p>
        ) : (
          <Table
            label={`Sessions of ${user.userName}`}
            columns={[...sessionColumns.slice(0, 1), addressColumn, ...sessionColumns.slice(1)]}
            rows={list.data?.items}
            keyOf={(row) => row.id}
            skeletonRows={2}
            actions={(row) =>
              !row.isCurrent && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  disabled={end.isPending}
                  onClick={() => void endOne(row.id)}
                >
                  End
                </Button>
              )
            }
          />
        )}
        {more > 0 && (
          <p className="soft">
            {plural(more, 'older session')} more. “Sign out everywhere” ends all of them.
          </p>
        )}
      </div>
    </Dialog>
  );
}
