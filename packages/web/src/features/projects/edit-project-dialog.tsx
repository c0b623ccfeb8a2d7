import { type Project, UpdateProjectBody, updateProject } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

export function EditProjectDialog({
  record,
  onClose,
}: {
  readonly record: Project;
  readonly onClose: () => void;
}) {
  const update = useChange(updateProject, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: UpdateProjectBody,
    version: record.version,
    initial: { name: record.name, description: record.description ?? '' },
    toBody: ({ name, description }) => ({ name, description: description === '' ? null : description }),
    send: async (body) => {
      await update.mutateAsync({ params: { id: record.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Rename or describe" form={form} act="Save" onClose={onClose}>
      <TextField form={form} name="name" label="Name" data-autofocus />
      <TextAreaField form={form} name="description" label="Description" />
    </FormDialog>
  );
}
