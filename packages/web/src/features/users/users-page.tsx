import { Button } from '@mantine/core';
import { roleNames, type User } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '../../lib/format.ts';
import { currentUser } from '../../requests/session.ts';
import { useMakingDialog } from '../../ui/frame/making-dialog.ts';
import type { Column } from '../../ui/list/columns.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Status, Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { users } from './requests/users.ts';
import { RolesDialog } from './roles-dialog.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import { type UserAction, UserMenu } from './user-menu.tsx';

const columns: readonly Column<User>[] = [
  {
    id: 'name',
    label: 'User',
    sort: 'userName',
    cell: (row) => (
      <>
        <strong style={{ fontWeight: 600 }}>{row.displayName ?? row.userName}</strong>{' '}
        {row.displayName !== null && <span className="soft">{row.userName}</span>}
      </>
    ),
  },
  { id: 'email', label: 'Email', sort: 'email', width: '200px', from: 960, cell: (row) => row.email ?? '' },
  {
    id: 'roles',
    label: 'Roles',
    width: '216px',
    from: 480,
    cell: (row) => row.roles.join(', ') || <span className="soft">None</span>,
  },
  { id: 'kind', label: 'Kind', width: '96px', from: 800, cell: (row) => <Tag>{row.kind}</Tag> },
  {
    id: 'state',
    label: 'Account',
    width: '96px',
    cell: (row) => (row.isEnabled ? <Status tone="green">On</Status> : <Status tone="neutral">Off</Status>),
  },
  {
    id: 'seen',
    label: 'Last sign-in',
    sort: 'lastSignedInAt',
    width: '120px',
    align: 'right',
    from: 640,
    cell: (row) => (row.lastSignedInAt === null ? 'Never' : <Time at={row.lastSignedInAt} isQuiet />),
  },
];

const filters: readonly Filter[] = [
  { name: 'role', label: 'Role', options: roleNames.map((role) => ({ value: role, label: words(role) })) },
  {
    name: 'state',
    label: 'State',
    options: [
      { value: 'enabled', label: 'Enabled' },
      { value: 'disabled', label: 'Disabled' },
    ],
  },
];

const read = ({ role, state, ...rest }: ListState) => {
  const roleName = roleNames.find((name) => name === role);
  return users({
    ...rest,
    ...(roleName && { role: roleName }),
    ...((state === 'enabled' || state === 'disabled') && { isEnabled: state === 'enabled' }),
  });
};

type OpenAction = { readonly action: UserAction; readonly user: User };

/** Users and their roles. */
export function UsersPage() {
  const [isAdding, setAdding] = useMakingDialog();
  const [open, setOpen] = useState<OpenAction | null>(null);
  const { data: self } = useQuery(currentUser);
  const add = (
    <Button variant="filled" onClick={() => setAdding(true)}>
      New user
    </Button>
  );
  return (
    <>
      <ListPage
        id="users"
        title="Users"
        icon="users"
        searchLabel="Search users"
        read={read}
        filters={filters}
        columns={columns}
        keyOf={(row) => row.id}
        action={add}
        rowActions={(row) => (
          <UserMenu
            user={row}
            isSelf={row.id === self?.userId}
            onAction={(action) => setOpen({ action, user: row })}
          />
        )}
        empty={{ title: 'There are no users', text: 'Add the people who may sign in.', action: add }}
      />
      {isAdding && <NewUserDialog onClose={() => setAdding(false)} />}
      {open && <ActionDialog {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Dialog of an action on a user. */
function ActionDialog({ action, ...props }: OpenAction & { readonly onClose: () => void }) {
  if (action === 'edit') return <EditUserDialog {...props} />;
  if (action === 'roles') return <RolesDialog {...props} />;
  if (action === 'sessions') return <SessionsDialog {...props} />;
  return <AccountDialog action={action} {...props} />;
}
