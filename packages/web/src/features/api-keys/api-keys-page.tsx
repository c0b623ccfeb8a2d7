import { ActionIcon, Button, Menu } from '@mantine/core';
import { type AdminApiKey, type ApiKey, revokeAnyApiKey, revokeApiKey } from '@svc/contract';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { Link } from '../../ui/frame/link.tsx';
import { useMakingDialog } from '../../ui/frame/making-dialog.ts';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './api-keys-page.module.css';
import { keyColumns } from './key-columns.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ReplaceKeyDialog } from './replace-key-dialog.tsx';
import { allKeys } from './requests/all-keys.ts';
import { ownKeys } from './requests/own-keys.ts';

/** API keys of the user, and all keys for administrators. */
export function ApiKeysPage() {
  const rights = useRights();
  const [{ tab }] = useAddress();
  const canSeeAll = holds(rights, 'Auditor', 'UserAdmin');
  const isAll = canSeeAll && (tab === 'all' || !rights.canRead);
  const views = canSeeAll && rights.canRead && (
    <nav aria-label="Whose keys" className={classes['views']}>
      <Link to={paths.apiKeys()} aria-current={isAll ? undefined : 'page'}>
        My keys
      </Link>
      <Link to={paths.apiKeys({ tab: 'all' })} aria-current={isAll ? 'page' : undefined}>
        Everybody’s keys
      </Link>
    </nav>
  );
  return isAll ? <AllKeys views={views} /> : <OwnKeys views={views} />;
}

function OwnKeys({ views }: { readonly views: React.ReactNode }) {
  const { canRead } = useRights();
  const [isMaking, setMaking] = useMakingDialog();
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const [shown, setShown] = useState<ApiKey | null>(null);
  const [replacing, setReplacing] = useState<ApiKey | null>(null);
  const revoke = useChange(revokeApiKey);
  const create = (
    <Button variant="filled" onClick={() => setMaking(true)}>
      New API key
    </Button>
  );
  return (
    <>
      <ListPage<ApiKey>
        id="api-keys"
        title="API keys"
        hasHelp
        icon="key"
        read={ownKeys}
        columns={keyColumns}
        keyOf={(row) => row.id}
        action={canRead ? create : undefined}
        rowActions={(row) => (
          <KeyActs
            row={row}
            onDetails={() => setShown(row)}
            {...(row.isActive && { onRevoke: () => setLeaving(row) })}
            {...(row.isActive && isReplaceable(row) && { onReplace: () => setReplacing(row) })}
          />
        )}
        empty={{
          title: 'You have no API key',
          text: 'Scripts, CI and AI clients use a key in your name, with at most your rights, in the projects that you choose.',
          action: canRead ? create : undefined,
        }}
      >
        {views}
      </ListPage>
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {shown && <KeyDialog apiKey={shown} isOwn onClose={() => setShown(null)} />}
      {replacing && <ReplaceKeyDialog apiKey={replacing} onClose={() => setReplacing(null)} />}
      {leaving && (
        <ConfirmDialog
          title={`Revoke “${leaving.name}”?`}
          act="Revoke key"
          onConfirm={async () => {
            await revoke.mutateAsync({ params: { id: leaving.id } });
            toastDone(`The key “${leaving.name}” was revoked.`);
          }}
          onClose={() => setLeaving(null)}
        >
          It stops working with the next request. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

/** Returns true if a key can be replaced: it has no replacement yet and has a list of projects. */
const isReplaceable = ({ replacedByKeyId, allowedProjectIds }: ApiKey): boolean =>
  replacedByKeyId === null && allowedProjectIds !== null;

type Acts = {
  readonly row: ApiKey;
  readonly onDetails: () => void;
  readonly onReplace?: () => void;
  readonly onRevoke?: () => void;
};

function KeyActs({ row, onDetails, onReplace, onRevoke }: Acts) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${row.name}`} size={28}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="guard" />} onClick={onDetails}>
          Scopes and usage
        </Menu.Item>
        {onReplace && (
          <Menu.Item leftSection={<Icon name="refresh" />} onClick={onReplace}>
            Replace
          </Menu.Item>
        )}
        {onRevoke && (
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={onRevoke}>
            Revoke
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const adminColumns: readonly Column<AdminApiKey>[] = [
  keyColumns[0] as Column<AdminApiKey>,
  { id: 'owner', label: 'Owner', width: '136px', cell: (row) => row.ownerUserName ?? '' },
  ...keyColumns.slice(1),
];

function AllKeys({ views }: { readonly views: React.ReactNode }) {
  const [leaving, setLeaving] = useState<AdminApiKey | null>(null);
  const [shown, setShown] = useState<AdminApiKey | null>(null);
  const revoke = useChange(revokeAnyApiKey);
  return (
    <>
      <ListPage<AdminApiKey>
        id="all-api-keys"
        title="API keys"
        icon="key"
        read={({ userId, ...state }) =>
          allKeys({ ...state, ...(Number(userId) > 0 && { userId: Number(userId) }) })
        }
        columns={adminColumns}
        keyOf={(row) => row.id}
        rowActions={(row) => (
          <KeyActs
            row={row}
            onDetails={() => setShown(row)}
            {...(row.canRevoke && row.status === 'Active' && { onRevoke: () => setLeaving(row) })}
          />
        )}
        empty={{ title: 'There are no API keys', text: 'Nobody has created one yet.' }}
      >
        {views}
      </ListPage>
      {shown && <KeyDialog apiKey={shown} isOwn={false} onClose={() => setShown(null)} />}
      {leaving && (
        <ConfirmDialog
          title={`Revoke “${leaving.name}” of ${leaving.ownerUserName ?? 'nobody'}?`}
          act="Revoke key"
          onConfirm={() => revoke.mutateAsync({ params: { id: leaving.id } })}
          onClose={() => setLeaving(null)}
        >
          It stops working with the next request. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}
