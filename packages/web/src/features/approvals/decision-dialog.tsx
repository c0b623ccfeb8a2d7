import {
  ApproveChangeInput,
  approveChange,
  type ChangeDetail,
  RejectChangeInput,
  rejectChange,
} from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

type Props = {
  readonly record: ChangeDetail;
  readonly onClose: () => void;
};

const touches = ['recipients', 'subscriptions'];
const commentOf = (comment: string) => (comment.trim() === '' ? null : comment.trim());

/** Approves a request. A comment is required if the change cannot be displayed. */
export function ApproveDialog({ record, onClose }: Props) {
  const approve = useChange(approveChange, { touches });
  const form = useForm({
    schema: ApproveChangeInput,
    initial: { comment: '' },
    toBody: ({ comment }) => ({ changeHash: record.changeHash ?? '', comment: commentOf(comment) }),
    check: ({ comment }): Readonly<{ [field: string]: string }> =>
      record.looksEqual && comment.trim() === '' ? { comment: 'Say how you checked the change.' } : {},
    send: async (body) => {
      await approve.mutateAsync({ params: { id: record.id }, body });
      toastDone(`${record.targetName} is approved and delivers.`);
      onClose();
    },
  });
  return (
    <FormDialog title={`Approve ${record.targetName}?`} form={form} act="Approve change" onClose={onClose}>
      <p>Results are delivered there from now on.</p>
      <TextAreaField
        form={form}
        name="comment"
        label={record.looksEqual ? 'How you checked it' : 'Comment (optional)'}
        maxLength={2_000}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Rejects a request, with a reason for the requester. */
export function RejectDialog({ record, onClose }: Props) {
  const reject = useChange(rejectChange, { touches });
  const form = useForm({
    schema: RejectChangeInput,
    initial: { comment: '' },
    toBody: ({ comment }) => ({ comment: commentOf(comment) }),
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
      <p>Nothing is delivered there until it is put back to what was approved, or saved again.</p>
      <TextAreaField form={form} name="comment" label="Reason" maxLength={2_000} data-autofocus />
    </FormDialog>
  );
}
