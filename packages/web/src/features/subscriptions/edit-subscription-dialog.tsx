import { type RowRoute, type Subscription, SubscriptionChange, updateSubscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { query as queryRead } from '../../requests/queries.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { subscriptionRoutes } from './requests/routes.ts';
import { areSettingsSound, choicesOf, settingsOf } from './wizard/choices.ts';
import { MessageFields, TaskFields } from './wizard/fields/message-fields.tsx';

type Props = { readonly record: Subscription; readonly onClose: () => void };

/**
 * Changes the message settings of a subscription. Its query and schedule cannot change, and its recipients have their
 * own tab.
 */
export function EditSubscriptionDialog(props: Props) {
  const { routing, id } = props.record;
  const routes = useQuery({ ...subscriptionRoutes(id), enabled: routing !== null });
  if (routing !== null && routes.isPending) return null;
  // If the routes cannot be read, the user enters them again.
  return <EditForm {...props} routes={routes.data?.routes ?? []} routesError={routes.error} />;
}

type FormProps = Props & { readonly routes: readonly RowRoute[]; readonly routesError: Error | null };

function EditForm({ record, onClose, routes, routesError }: FormProps) {
  const change = useChange(updateSubscription, { headers: () => ifUnchanged(form.version) });
  const query = useQuery(queryRead(record.queryId));
  const form = useForm({
    schema: SubscriptionChange,
    version: record.version,
    initial: { choices: choicesOf(record, routes) },
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
      <ProblemNote error={routesError} />
      <MessageFields {...props} query={query.data} />
      <TaskFields {...props} />
      <p className="soft">
        Its query and schedule stay, so that its history stays comparable. To change them, replace it.
      </p>
    </FormDialog>
  );
}
