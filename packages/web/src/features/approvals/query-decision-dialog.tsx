import {
  ApproveQueryBody,
  approveQuery,
  type QueryApproval,
  RejectQueryBody,
  rejectQuery,
} from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

type Props = { readonly record: QueryApproval; readonly onClose: () => void };

const touches = ['queries', 'subscriptions', 'query-versions'];

/** Approves a definition in the version that the page shows. */
export function ApproveQueryDialog({ record, onClose }: Props) {
  const approve = useChange(approveQuery, { touches });
  const form = useForm({
    schema: ApproveQueryBody,
    initial: { comment: '' },
    toBody: ({ comment }) => ({
      approvalHash: record.approvalHash ?? '',
      ...(comment.trim() !== '' && { comment: comment.trim() }),
    }),
    send: async (body) => {
      await approve.mutateAsync({ params: { id: record.id }, body });
      toastDone(`Version ${record.proposed.versionNumber} of ${record.targetName} runs from now on.`);
      onClose();
    },
  });
  return (
    <FormDialog title={`Approve ${record.targetName}?`} form={form} act="Approve change" onClose={onClose}>
      <p>Version {record.proposed.versionNumber} is what runs from now on, in every subscription too.</p>
      <TextAreaField form={form} name="comment" label="Comment (optional)" maxLength={2_000} data-autofocus />
    </FormDialog>
  );
}

/** Rejects a definition, with a reason for the requester. */
export function RejectQueryDialog({ record, onClose }: Props) {
  const reject = useChange(rejectQuery, { touches });
  const form = useForm({
    schema: RejectQueryBody,
    initial: { comment: '' },
    toBody: ({ comment }) => ({ comment: comment.trim() }),
    check: ({ comment }): Readonly<{ [field: string]: string }> =>
      comment.trim() === '' ? { comment: 'Say why, so that they know what to do.' } : {},
    send: async (body) => {
      await reject.mutateAsync({ params: { id: record.id }, body });
      toastDone(`The change of ${record.targetName} is rejected.`);
      onClose();
    },
  });
  return (
    <FormDialog title={`Reject ${record.targetName}?`} form={form} act="Reject change" onClose={onClose}>
      <p>The version that runs now stays active; this one is kept in the history.</p>
      <TextAreaField form={form} name="comment" label="Reason" maxLength={2_000} data-autofocus />
    </FormDialog>
  );
}
