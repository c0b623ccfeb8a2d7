import { createRecipient, type NotificationType } from '@svc/contract';
import { useState } from 'react';
import { ProblemError } from '../../../lib/problem.ts';
import { useChange } from '../../../lib/server-state.ts';

type Values = {
  /** Null: told from the destination. */
  readonly type: NotificationType | null;
  readonly name: string;
  readonly destination: string;
};

const nothing: Values = { type: null, name: '', destination: '' };
const trackerParts = 4;

/** What a destination most likely is, by how it is written. */
export function channelOf(destination: string): NotificationType {
  if (destination.split(';').length === trackerParts) return 'IssueTracker';
  return destination.includes('@') && !destination.includes('://') ? 'Email' : 'Webhook';
}

/** A recipient that is added on the way through the flow. */
export type NewRecipient = {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly values: Values & { readonly channel: NotificationType };
  readonly change: (part: Partial<Values>) => void;
  readonly isFilled: boolean;
  readonly isSaving: boolean;
  readonly errors: Readonly<{ [field: string]: string | undefined }>;
  readonly error: unknown;
  /** Adds it and answers its id; undefined when it was refused, which is shown at the fields. */
  readonly save: () => Promise<number | undefined>;
};

export function useNewRecipient(): NewRecipient {
  const [isOpen, setOpen] = useState(false);
  const [values, setValues] = useState(nothing);
  const [missing, setMissing] = useState<Readonly<{ [field: string]: string }>>({});
  const create = useChange(createRecipient);
  const channel = values.type ?? channelOf(values.destination);
  const refused =
    create.error instanceof ProblemError
      ? Object.fromEntries(
          (create.error.problem.errors ?? []).map(({ path, message }) => [
            path.split('/')[1],
            `This ${message}.`,
          ]),
        )
      : {};

  const save = async () => {
    const found = {
      ...(values.name.trim() === '' && { name: 'Name it.' }),
      ...(values.destination.trim() === '' && { destination: 'Fill this in.' }),
    };
    setMissing(found);
    if (Object.keys(found).length > 0) return undefined;
    try {
      const made = await create.mutateAsync({
        body: {
          notificationType: channel,
          name: values.name.trim(),
          destination: values.destination.trim(),
        },
      });
      setValues(nothing);
      setOpen(false);
      return made.id;
    } catch {
      return undefined;
    }
  };

  return {
    isOpen,
    open: () => setOpen(true),
    values: { ...values, channel },
    change: (part) => setValues((before) => ({ ...before, ...part })),
    isFilled: values.name !== '' || values.destination !== '',
    isSaving: create.isPending,
    errors: { ...refused, ...missing },
    error: create.error,
    save,
  };
}
