import { ChangeRelationshipBody, cardinalities, changeRelationship, type Relationship } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { words } from '../../lib/format.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { SelectField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

type Props = { readonly record: Relationship; readonly onClose: () => void };

/** Changes the name and the cardinality of a relationship. Its ends cannot change. */
export function EditRelationshipDialog({ record, onClose }: Props) {
  const change = useChange(changeRelationship, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: ChangeRelationshipBody,
    version: record.version,
    initial: { label: record.label, cardinality: record.cardinality as string },
    toBody: ({ label, cardinality }) => ({ label, cardinality }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: record.dataSourceId, relationshipId: record.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Edit relationship" form={form} act="Save" onClose={onClose}>
      <TextField form={form} name="label" label="Label" data-autofocus />
      <SelectField
        form={form}
        name="cardinality"
        label="Rows"
        allowDeselect={false}
        data={cardinalities.map((value) => ({ value, label: words(value) }))}
      />
    </FormDialog>
  );
}
