import { ActionIcon, Menu } from '@mantine/core';
import type { User } from '@svc/contract';
import { Icon } from '../../ui/text/icons.tsx';
import type { AccountAction } from './account-dialog.tsx';

export type UserAction = 'edit' | 'roles' | 'sessions' | AccountAction;

type Props = {
  readonly user: User;
  /** True for the signed-in user, who cannot change their own roles or lock themselves out. */
  readonly isSelf: boolean;
  readonly onAction: (action: UserAction) => void;
};

/** Menu of a row with the actions on its user. */
export function UserMenu({ user, isSelf, onAction }: Props) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${user.userName}`} size={28}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => onAction('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item disabled={isSelf} leftSection={<Icon name="guard" />} onClick={() => onAction('roles')}>
          Change roles
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="system" />} onClick={() => onAction('sessions')}>
          Sessions
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => onAction('sign-out')}>
          Sign out everywhere
        </Menu.Item>
        <Menu.Item
          disabled={isSelf}
          leftSection={<Icon name={user.isEnabled ? 'lock' : 'open'} />}
          onClick={() => onAction('toggle')}
        >
          {user.isEnabled ? 'Switch off' : 'Switch on'}
        </Menu.Item>
        <Menu.Item
          color="red"
          disabled={isSelf}
          leftSection={<Icon name="trash" />}
          onClick={() => onAction('archive')}
        >
          Archive
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
