import { createRecipient, type Recipient, RecipientInput, updateRecipient } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';

export type RecipientValues = {
  notificationType: string;
  name: string;
  destination: string;
  description: string;
  customHeaders: readonly (readonly [string, string])[];
  bodyTemplate: string;
};

const valuesOf = (record: Recipient | null): RecipientValues => ({
  notificationType: record?.notificationType ?? 'Email',
  name: record?.name ?? '',
  destination: record?.destination ?? '',
  description: record?.description ?? '',
  customHeaders: Object.entries(record?.customHeaders ?? {}),
  bodyTemplate: record?.bodyTemplate ?? '',
});

/** Form that creates a recipient, or changes the stored one. */
export function useRecipientForm(record: Recipient | null, onSaved: () => void) {
  const create = useChange(createRecipient, { touches: ['approvals'] });
  const update = useChange(updateRecipient, {
    touches: ['approvals'],
    headers: () => ifUnchanged(form.version),
  });
  const form = useForm({
    schema: RecipientInput,
    version: record?.version,
    initial: valuesOf(record),
    toBody: (values) => ({
      notificationType: values.notificationType,
      name: values.name.trim(),
      destination: values.destination.trim(),
      description: values.description === '' ? null : values.description,
      ...(values.notificationType === 'Webhook' && {
        customHeaders: Object.fromEntries(values.customHeaders.filter(([name]) => name.trim() !== '')),
        bodyTemplate: values.bodyTemplate === '' ? null : values.bodyTemplate,
      }),
    }),
    check: (values): Readonly<{ [field: string]: string }> =>
      values.destination.trim() === '' ? { destination: 'Fill this in.' } : {},
    send: async (body) => {
      if (record) await update.mutateAsync({ params: { id: record.id }, body });
      else await create.mutateAsync({ body });
      toastDone(record ? `${body.name} was saved.` : `${body.name} was added.`);
      onSaved();
    },
  });
  return form;
}
