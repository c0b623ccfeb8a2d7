import { ActionIcon, Button, Menu } from '@mantine/core';
import { archiveUser, roleNames, signUserOutEverywhere, toggleUserEnabled, type User } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { currentUser } from '../../requests/session.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useMakingDialog } from '../../ui/frame/making-dialog.ts';
import type { Column } from '../../ui/list/columns.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Status, Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { users } from './requests/users.ts';
import { RolesDialog } from './roles-dialog.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';

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

type Open = {
  readonly act: 'edit' | 'roles' | 'sessions' | 'toggle' | 'sign-out' | 'archive';
  readonly user: User;
};

/** Users and their roles. */
export function UsersPage() {
  const [isAdding, setAdding] = useMakingDialog();
  const [open, setOpen] = useState<Open | null>(null);
  const { data: self } = useQuery(currentUser);
  const close = () => setOpen(null);
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
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label={`Actions for ${row.userName}`} size={28}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<Icon name="edit" />}
                onClick={() => setOpen({ act: 'edit', user: row })}
              >
                Edit
              </Menu.Item>
              <Menu.Item
                disabled={row.id === self?.userId}
                leftSection={<Icon name="guard" />}
                onClick={() => setOpen({ act: 'roles', user: row })}
              >
                Change roles
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="system" />}
                onClick={() => setOpen({ act: 'sessions', user: row })}
              >
                Sessions
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="out" />}
                onClick={() => setOpen({ act: 'sign-out', user: row })}
              >
                Sign out everywhere
              </Menu.Item>
              <Menu.Item
                disabled={row.id === self?.userId}
                leftSection={<Icon name={row.isEnabled ? 'lock' : 'open'} />}
                onClick={() => setOpen({ act: 'toggle', user: row })}
              >
                {row.isEnabled ? 'Switch off' : 'Switch on'}
              </Menu.Item>
              <Menu.Item
                color="red"
                disabled={row.id === self?.userId}
                leftSection={<Icon name="trash" />}
                onClick={() => setOpen({ act: 'archive', user: row })}
              >
                Archive
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        empty={{ title: 'There are no users', text: 'Add the people who may sign in.', action: add }}
      />
      {isAdding && <NewUserDialog onClose={() => setAdding(false)} />}
      {open?.act === 'roles' && <RolesDialog user={open.user} onClose={close} />}
      {open?.act === 'edit' && <EditUserDialog user={open.user} onClose={close} />}
      {open?.act === 'sessions' && <SessionsDialog user={open.user} onClose={close} />}
      {(open?.act === 'toggle' || open?.act === 'sign-out' || open?.act === 'archive') && (
        <UserAct act={open.act} user={open.user} onClose={close} />
      )}
    </>
  );
}

type ActProps = {
  readonly act: 'toggle' | 'sign-out' | 'archive';
  readonly user: User;
  readonly onClose: () => void;
};

/** Confirms and performs an action on a user's account. */
function UserAct({ act, user, onClose }: ActProps) {
  const toggle = useChange(toggleUserEnabled, { touches: ['api-keys'] });
  const signOut = useChange(signUserOutEverywhere);
  const archive = useChange(archiveUser, { touches: ['api-keys', 'projects'] });
  const params = { id: user.id };
  const keysEnd = 'Every API key of theirs is revoked with it, and cannot be brought back.';
  const acts = {
    toggle: {
      title: user.isEnabled ? `Switch ${user.userName} off?` : `Switch ${user.userName} on?`,
      label: user.isEnabled ? 'Switch off' : 'Switch on',
      text: user.isEnabled
        ? `They are signed out and cannot sign in. ${keysEnd}`
        : `They can sign in again. ${keysEnd}`,
      run: () => toggle.mutateAsync({ params }),
    },
    'sign-out': {
      title: `Sign ${user.userName} out everywhere?`,
      label: 'Sign out everywhere',
      text: 'Their sessions end in every browser. They can sign in again.',
      run: () => signOut.mutateAsync({ params }),
    },
    archive: {
      title: `Archive ${user.userName}?`,
      label: 'Archive user',
      text: `They cannot sign in any more, for good. ${keysEnd}`,
      run: () => archive.mutateAsync({ params }),
    },
  } as const;
  const { title, label, text, run } = acts[act];
  return (
    <ConfirmDialog
      title={title}
      act={label}
      onConfirm={async () => {
        await run();
        toastDone(`Done: ${user.userName}.`);
      }}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}
