import {
  type AiPlan,
  ApproveAiPlanBody,
  approveAiPlan,
  RejectAiPlanBody,
  ReviseAiPlanBody,
  rejectAiPlan,
  reviseAiPlan,
} from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

export type Decision = 'approve' | 'reject' | 'revise';

type Props = {
  readonly plan: AiPlan;
  /** Ids of the actions to apply. */
  readonly actionIds: readonly number[];
  readonly onClose: () => void;
};

/** Dialog that decides about a plan in the version that the page shows. */
export function DecisionDialog({ decision, ...props }: Props & { readonly decision: Decision }) {
  switch (decision) {
    case 'approve':
      return <ApproveDialog {...props} />;
    case 'reject':
      return <RejectDialog {...props} />;
    case 'revise':
      return <ReviseDialog {...props} />;
  }
}

function ApproveDialog({ plan, actionIds, onClose }: Props) {
  const approve = useChange(approveAiPlan, {
    touches: ['approvals', 'queries', 'subscriptions', 'data quality', 'home'],
  });
  const form = useForm({
    schema: ApproveAiPlanBody,
    initial: { comment: '' },
    toBody: ({ comment }) => ({
      planHash: plan.planHash ?? '',
      actionIds: [...actionIds],
      ...(comment.trim() !== '' && { comment: comment.trim() }),
    }),
    send: async (body) => {
      await approve.mutateAsync({ params: { id: plan.id }, body });
      toastDone(`${plural(actionIds.length, 'action')} of the plan were applied.`);
      onClose();
    },
  });
  const others = plan.actions.length - actionIds.length;
  return (
    <FormDialog
      title={`Approve the plan of ${plan.actorName}?`}
      form={form}
      act="Approve plan"
      onClose={onClose}
    >
      <p>
        {`${plural(actionIds.length, 'action')} will be applied at once, all of them or none.`}
        {others > 0 && ` ${plural(others, 'action')} will not be applied.`}
      </p>
      <TextAreaField form={form} name="comment" label="Comment (optional)" maxLength={2_000} data-autofocus />
    </FormDialog>
  );
}

const needed = (text: string, field: string): Readonly<Record<string, string>> =>
  text.trim() === '' ? { [field]: 'Say why, so that they know what to do.' } : {};

function RejectDialog({ plan, onClose }: Props) {
  const reject = useChange(rejectAiPlan, { touches: ['approvals'] });
  const form = useForm({
    schema: RejectAiPlanBody,
    initial: { comment: '' },
    toBody: ({ comment }) => ({ comment: comment.trim() }),
    check: ({ comment }) => needed(comment, 'comment'),
    send: async (body) => {
      await reject.mutateAsync({ params: { id: plan.id }, body });
      toastDone('The plan was rejected.');
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Reject the plan of ${plan.actorName}?`}
      form={form}
      act="Reject plan"
      onClose={onClose}
    >
      <p>Nothing in it is applied.</p>
      <TextAreaField form={form} name="comment" label="Reason" maxLength={2_000} data-autofocus />
    </FormDialog>
  );
}

function ReviseDialog({ plan, onClose }: Props) {
  const revise = useChange(reviseAiPlan, { touches: ['approvals'] });
  const form = useForm({
    schema: ReviseAiPlanBody,
    initial: { feedback: '' },
    toBody: ({ feedback }) => ({ feedback: feedback.trim() }),
    check: ({ feedback }) => needed(feedback, 'feedback'),
    send: async (body) => {
      await revise.mutateAsync({ params: { id: plan.id }, body });
      toastDone('The actor thinks again. Its next version is a plan of its own.');
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Ask ${plan.actorName} for changes?`}
      form={form}
      act="Request changes"
      onClose={onClose}
    >
      <p>The actor thinks again with your feedback. You may decide on the next version.</p>
      <TextAreaField
        form={form}
        name="feedback"
        label="What should it do better?"
        maxLength={4_000}
        data-autofocus
      />
    </FormDialog>
  );
}
