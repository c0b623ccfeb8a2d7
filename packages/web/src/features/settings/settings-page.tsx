import { Button } from '@mantine/core';
import { endSession, type UserSettings } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../lib/server-state.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/list/table.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record } from '../../ui/record/record.tsx';
import { Status } from '../../ui/record/status.tsx';
import { sessionColumns } from '../../views/sessions/session-columns.tsx';
import { LookSettings } from './look-settings.tsx';
import { NamesForm } from './names-form.tsx';
import { NoticeMails } from './notice-mails.tsx';
import { PasswordForm } from './password-form.tsx';
import { account } from './requests/account.ts';
import { sessions } from './requests/sessions.ts';

/** Account of the user: names, password, and active sessions. */
export function SettingsPage() {
  return <Record read={account}>{(record) => <SettingsView record={record} />}</Record>;
}

function SettingsView({ record }: { readonly record: UserSettings }) {
  return (
    <>
      <PageHeader title="Settings" />
      <div className="stack" style={{ maxWidth: 720, gap: 32 }}>
        {record.mustChangePassword && (
          <p role="alert">
            <Status tone="amber">
              Choose your own password before you go on: this one was set by an administrator
            </Status>
          </p>
        )}
        {!record.mustChangePassword && (
          <section aria-label="Account">
            <Facts
              facts={[
                { label: 'User name', value: record.userName ?? '' },
                ...(record.canChangeNames ? [] : namesOf(record)),
                { label: 'Roles', value: record.roles.join(', ') || <span className="soft">None yet</span> },
                {
                  label: 'Signs in',
                  value: record.kind === 'Internal' ? 'With a password' : 'At the identity provider',
                },
              ]}
            />
          </section>
        )}
        {!record.mustChangePassword && record.canChangeNames && <NamesForm record={record} />}
        {record.canChangePassword && <PasswordForm />}
        {!record.mustChangePassword && record.kind !== 'Host' && <NoticeMails record={record} />}
        {!record.mustChangePassword && <LookSettings record={record} />}
        {!record.mustChangePassword && <Sessions />}
      </div>
    </>
  );
}

/** Names that another system manages. */
const namesOf = ({ displayName, email }: UserSettings): readonly Fact[] => [
  { label: 'Display name', value: displayName ?? <span className="soft">None</span> },
  { label: 'Email', value: email ?? <span className="soft">None</span> },
];

function Sessions() {
  const list = useQuery(sessions);
  const end = useChange(endSession);
  return (
    <section className="stack-tight">
      <h2>Where you are signed in</h2>
      {list.isLoadingError ? (
        <ProblemView error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label="Where you are signed in"
          columns={sessionColumns}
          rows={list.data?.items}
          keyOf={(row) => row.id}
          skeletonRows={2}
          actions={(row) =>
            !row.isCurrent && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                onClick={() => void end.mutateAsync({ params: { id: row.id } }).catch(toastProblem)}
              >
                End
              </Button>
            )
          }
        />
      )}
    </section>
  );
}
