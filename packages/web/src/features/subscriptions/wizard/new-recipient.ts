import { createRecipient, type NotificationType, type Recipient, RecipientInput } from '@svc/contract';
import { useRef, useState } from 'react';
import { type Form, useForm } from '../../../lib/form.ts';
import { useChange } from '../../../lib/server-state.ts';

type Values = {
  /** Empty: derived from the destination. */
  readonly notificationType: NotificationType | '';
  readonly name: string;
  readonly destination: string;
};

const nothing: Values = { notificationType: '', name: '', destination: '' };
const trackerParts = 4;

/** Returns the most likely channel of a destination, from its format. */
export function channelOf({ notificationType, destination }: Values): NotificationType {
  if (notificationType !== '') return notificationType;
  if (destination.split(';').length === trackerParts) return 'IssueTracker';
  return destination.includes('@') && !destination.includes('://') ? 'Email' : 'Webhook';
}

/** Recipient that the user creates inside the wizard. */
export type NewRecipient = {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly form: Form<Values>;
  readonly isFilled: boolean;
  /** Creates the recipient. Returns undefined after a refusal, which the fields show. */
  readonly save: () => Promise<Recipient | undefined>;
};

export function useNewRecipient(): NewRecipient {
  const [isOpen, setOpen] = useState(false);
  const create = useChange(createRecipient, { touches: ['approvals'] });
  const created = useRef<Recipient | undefined>(undefined);
  const form = useForm({
    schema: RecipientInput,
    initial: nothing,
    toBody: (values) => ({
      notificationType: channelOf(values),
      name: values.name.trim(),
      destination: values.destination.trim(),
    }),
    check: ({ destination }): Readonly<{ [field: string]: string }> =>
      destination.trim() === '' ? { destination: 'Fill this in.' } : {},
    send: async (body) => {
      created.current = await create.mutateAsync({ body });
    },
  });

  const save = async () => {
    if (!(await form.submit())) return undefined;
    form.reset(nothing);
    setOpen(false);
    return created.current;
  };

  return {
    isOpen,
    open: () => setOpen(true),
    form,
    isFilled: form.values.name !== '' || form.values.destination !== '',
    save,
  };
}
