import { addDataContractRecipients, type DataContract, removeDataContractRecipient } from '@svc/contract';
import { useChange } from '../../../lib/server-state.ts';
import { AttachedRecipients } from '../../../views/recipients/attached-recipients.tsx';

type Props = { readonly record: DataContract; readonly canWrite: boolean };

/** Recipients of the data contract. */
export function ContractRecipients({ record, canWrite }: Props) {
  const add = useChange(addDataContractRecipients, { touches: ['recipients'] });
  const remove = useChange(removeDataContractRecipient, { touches: ['recipients'] });
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
