import { deleteRecipient, type Recipient, withdrawChange } from '@svc/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { DeliverySettingsDialog } from './delivery-settings-dialog.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';
import { UsesDialog } from './uses-dialog.tsx';

/** Action on a recipient that has a dialog. */
export type RecipientAction = 'edit' | 'deliverySettings' | 'uses' | 'withdraw' | 'archive';

type Props = { readonly record: Recipient; readonly onClose: () => void };

const dialogs: Readonly<Record<RecipientAction, (props: Props) => ReactNode>> = {
  edit: RecipientDialog,
  deliverySettings: DeliverySettingsDialog,
  uses: UsesDialog,
  withdraw: WithdrawDialog,
  archive: ArchiveDialog,
};

/** Dialog of an action on a recipient. */
export function RecipientActionDialog({ action, ...props }: Props & { readonly action: RecipientAction }) {
  const ActionDialog = dialogs[action];
  return <ActionDialog {...props} />;
}

function WithdrawDialog({ record, onClose }: Props) {
  const withdraw = useChange(withdrawChange, { touches: ['recipients', 'subscriptions'] });
  const { name, pendingChange } = record;
  if (!pendingChange) return null;
  return (
    <ConfirmDialog
      title={`Withdraw the change of ${name}?`}
      act="Withdraw change"
      isDangerous={false}
      onConfirm={async () => {
        await withdraw.mutateAsync({ params: { id: pendingChange.id } });
        toastDone(`${name} is back to what was approved.`);
      }}
      onClose={onClose}
    >
      Results go to the destination that was approved before.
    </ConfirmDialog>
  );
}

function ArchiveDialog({ record, onClose }: Props) {
  const remove = useChange(deleteRecipient);
  return (
    <ConfirmDialog
      title={`Archive ${record.name}?`}
      act="Archive recipient"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: record.id } });
        toastDone(`${record.name} was archived.`);
      }}
      onClose={onClose}
    >
      Nothing is delivered there any more. It cannot be archived while subscriptions use it.
    </ConfirmDialog>
  );
}
