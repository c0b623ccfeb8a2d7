import { type ApiKey, ReplacementInput, replaceApiKey } from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { SelectField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

const overlaps = [
  { value: '0', label: 'Ends at once' },
  { value: '60', label: 'An hour' },
  { value: '1440', label: 'A day' },
  { value: '10080', label: 'A week' },
];

type Props = { readonly apiKey: ApiKey; readonly onClose: () => void };

/** Creates a key with the same settings and shows it once. The old key expires after the chosen time. */
export function ReplaceKeyDialog({ apiKey, onClose }: Props) {
  const [newKey, setNewKey] = useState<string | null>(null);
  return newKey === null ? (
    <ReplaceForm apiKey={apiKey} onClose={onClose} onMade={setNewKey} />
  ) : (
    <ShownOnce plainKey={newKey} onClose={onClose} />
  );
}

function ReplaceForm({ apiKey, onClose, onMade }: Props & { readonly onMade: (key: string) => void }) {
  const replace = useChange(replaceApiKey);
  const form = useForm({
    schema: ReplacementInput,
    initial: { overlapMinutes: '1440', expiresAt: '' },
    toBody: ({ overlapMinutes, expiresAt }) => ({
      overlapMinutes: Number(overlapMinutes),
      expiresAt: expiresAt === '' ? null : expiresAt,
    }),
    send: async (body) => {
      const { plainTextKey } = await replace.mutateAsync({ params: { id: apiKey.id }, body });
      onMade(plainTextKey);
    },
  });
  return (
    <FormDialog title={`Replace “${apiKey.name}”`} form={form} act="Create the new key" onClose={onClose}>
      <p>The new key has the same name, scopes and projects.</p>
      <SelectField
        form={form}
        name="overlapMinutes"
        label="How long the old key keeps working"
        description="Never past its own expiration date."
        data={overlaps}
        allowDeselect={false}
      />
      <TextField
        form={form}
        name="expiresAt"
        type="date"
        label="Expiration date of the new key (optional)"
        description="Empty: 90 days, unless your operator chose otherwise."
        w={200}
      />
    </FormDialog>
  );
}
