import { type Subscription, updateSubscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { query as queryRead } from '../../requests/queries.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { areSettingsSound, choicesOf, settingsOf } from './wizard/choices.ts';
import { MessageFields, TaskFields } from './wizard/message-fields.tsx';

type Props = { readonly record: Subscription; readonly onClose: () => void };

/** Changes what a subscription tells and how; its query and its schedule stay, and its recipients have their tab. */
export function EditSubscriptionDialog({ record, onClose }: Props) {
  const change = useChange(updateSubscription, { headers: () => ifUnchanged(record.version) });
  const query = useQuery(queryRead(record.queryId));
  const form = useForm({
    schema: updateSubscription.body,
    initial: { choices: choicesOf(record) },
    toBody: ({ choices }) => settingsOf(choices),
    check: ({ choices }) => (areSettingsSound(choices) ? {} : { choices: 'Fix the marked fields first.' }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: record.id }, body });
      toastDone('Subscription saved.');
      onClose();
    },
  });
  const { choices } = form.values;
  const props = {
    choices,
    change: (part: Partial<typeof choices>) => form.set('choices', { ...choices, ...part }),
  };
  return (
    <FormDialog title="Edit subscription" form={form} act="Save" onClose={onClose} size={640}>
      <MessageFields {...props} query={query.data} />
      <TaskFields {...props} />
      <p className="soft">
        Its query and schedule stay, so that its history stays comparable. To change them, replace it.
      </p>
    </FormDialog>
  );
}
