import { addSubscriptionRecipients, removeSubscriptionRecipient, type Subscription } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { AttachedRecipients } from '../../views/recipients/attached-recipients.tsx';

type Props = { readonly record: Subscription; readonly canWrite: boolean };

/** Recipients of the subscription. */
export function SubscriptionRecipients({ record, canWrite }: Props) {
  const add = useChange(addSubscriptionRecipients, { touches: ['recipients'] });
  const remove = useChange(removeSubscriptionRecipient, { touches: ['recipients'] });
  const { id } = record;
  return (
    <AttachedRecipients
      recipients={record.recipients}
      canWrite={canWrite}
      isAttaching={add.isPending}
      attach={(recipientId) => add.mutateAsync({ params: { id }, body: { recipientIds: [recipientId] } })}
      detach={(recipientId) => remove.mutateAsync({ params: { id, recipientId } })}
    />
  );
}
