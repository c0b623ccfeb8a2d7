import { ActionIcon, Button, Select } from '@mantine/core';
import {
  AddProjectMemberBody,
  addProjectMember,
  changeProjectMember,
  type ProjectMember,
  type ProjectRole,
  projectRoles,
  removeProjectMember,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { SelectField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { projectMembers } from './requests/members.ts';

const roleOptions = projectRoles.map((role) => ({
  value: role,
  label: role === 'ProjectAdmin' ? 'Project admin' : role,
}));

const columns = (projectId: number): readonly Column<ProjectMember>[] => [
  {
    id: 'user',
    label: 'User',
    cell: (row) => (
      <>
        {row.displayName ?? row.userName} {row.displayName && <span className="soft">{row.userName}</span>}
      </>
    ),
  },
  {
    id: 'role',
    label: 'Role',
    width: '168px',
    cell: (row) => <RoleSelect projectId={projectId} member={row} />,
  },
  {
    id: 'state',
    label: 'Account',
    width: '112px',
    from: 640,
    cell: (row) => <Status tone={row.isEnabled ? 'green' : 'neutral'}>{row.isEnabled ? 'On' : 'Off'}</Status>,
  },
  {
    id: 'added',
    label: 'Added',
    width: '128px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.addedAt} isQuiet />,
  },
];

/** Members of the project and their rights, with actions that change them. */
export function ProjectMembers({ id }: { readonly id: number }) {
  const members = useQuery(projectMembers(id, { pageSize: '200' }));
  const remove = useChange(removeProjectMember);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ProjectMember | null>(null);
  if (members.isLoadingError)
    return <ProblemView error={members.error} onRetry={() => void members.refetch()} />;
  return (
    <>
      <div>
        <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
          Add a member
        </Button>
      </div>
      {members.data?.totalCount === 0 ? (
        <Empty icon="users" title="No members">
          The project is open: everybody with a role reads it. Members matter once it is restricted.
        </Empty>
      ) : (
        <Table
          label="Members"
          columns={columns(id)}
          rows={members.data?.items}
          keyOf={(row) => row.userId}
          skeletonRows={3}
          actions={(row) => (
            <ActionIcon aria-label={`Remove ${row.userName}`} onClick={() => setRemoved(row)}>
              <Icon name="close" />
            </ActionIcon>
          )}
        />
      )}
      {isAdding && <AddMemberDialog id={id} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.userName}?`}
          act="Remove member"
          onConfirm={() => remove.mutateAsync({ params: { id, userId: removed.userId } })}
          onClose={() => setRemoved(null)}
        >
          Where the project is restricted, they and their keys stop seeing it at once.
        </ConfirmDialog>
      )}
    </>
  );
}

type RoleProps = { readonly projectId: number; readonly member: ProjectMember };

/** Role of a member. A selection changes it immediately. */
function RoleSelect({ projectId, member }: RoleProps) {
  const change = useChange(changeProjectMember);
  const { userId, userName, role } = member;
  return (
    <Select
      aria-label={`Role of ${userName}`}
      data={roleOptions}
      value={role}
      variant="unstyled"
      onChange={(newRole) =>
        newRole !== null &&
        change
          .mutateAsync({ params: { id: projectId, userId }, body: { role: newRole as ProjectRole } })
          .catch(toastProblem)
      }
    />
  );
}

function AddMemberDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const add = useChange(addProjectMember);
  const form = useForm({
    schema: AddProjectMemberBody,
    initial: { userName: '', role: 'Viewer' },
    toBody: (values) => values,
    send: async (body) => {
      await add.mutateAsync({ params: { id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Add a member" form={form} act="Add member" onClose={onClose}>
      <TextField form={form} name="userName" label="User name" autoComplete="off" data-autofocus />
      <SelectField form={form} name="role" label="Role" data={roleOptions} />
    </FormDialog>
  );
}
