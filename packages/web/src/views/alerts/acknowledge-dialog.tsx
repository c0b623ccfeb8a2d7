import { AcknowledgeAlertBody } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

type Props = {
  readonly name: string;
  readonly onAcknowledge: (body: AcknowledgeAlertBody) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Acknowledges a firing alert, with a note for the team. */
export function AcknowledgeDialog({ name, onAcknowledge, onClose }: Props) {
  const form = useForm({
    schema: AcknowledgeAlertBody,
    initial: { note: '' },
    toBody: ({ note }) => ({ note: note.trim() || null }),
    send: async (body) => {
      await onAcknowledge(body);
      toastDone('The alert is acknowledged. It sends no reminder until it clears.');
      onClose();
    },
  });
  return (
    <FormDialog title={`Acknowledge ${name}`} form={form} act="Acknowledge" onClose={onClose}>
      <p>The team sees your name and your note. Reminders stop until the alert clears.</p>
      <TextField form={form} name="note" label="Note (optional)" maxLength={500} />
    </FormDialog>
  );
}
