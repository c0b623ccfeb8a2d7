import { ActionIcon, Menu } from '@mantine/core';
import type { Recipient } from '@svc/contract';
import { paths } from '../../lib/paths.ts';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';
import type { RecipientAction } from './recipient-action-dialog.tsx';

type Props = {
  readonly record: Recipient;
  readonly canReview: boolean;
  readonly onAction: (action: RecipientAction) => void;
};

/** Menu of a row with the actions on its recipient. */
export function RecipientMenu({ record, canReview, onAction }: Props) {
  const go = useGo();
  const { pendingChange } = record;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${record.name}`} size={28}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => onAction('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="send" />} onClick={() => onAction('deliverySettings')}>
          Signing and retries
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="subscription" />} onClick={() => onAction('uses')}>
          Used by
        </Menu.Item>
        {pendingChange && canReview && (
          <Menu.Item
            leftSection={<Icon name="approval" />}
            onClick={() => go(paths.changeApproval(pendingChange.id))}
          >
            Review the change
          </Menu.Item>
        )}
        {pendingChange?.isOwn && (
          <Menu.Item leftSection={<Icon name="history" />} onClick={() => onAction('withdraw')}>
            Withdraw the change
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => onAction('archive')}>
          Archive
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
