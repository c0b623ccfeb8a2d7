import { Checkbox } from '@mantine/core';
import { type DataSource, UpdateDataSourceBody, updateDataSource } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { dataSource } from '../../requests/data-sources.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { type ConnectionValues, missingFields } from './connection/connection-fields.ts';
import { ConnectionForm } from './connection/connection-form.tsx';
import { engines } from './requests/engines.ts';

type Props = { readonly record: DataSource; readonly onClose: () => void };

type Values = {
  name: string;
  description: string;
  isConnectionChanged: boolean;
  connection: ConnectionValues;
};

/** Dialog that changes name, description and connection. The user must enter the secrets again. */
export function EditDataSourceDialog({ record, onClose }: Props) {
  // Lists omit documents, so the dialog reads the full record.
  const full = useQuery({ ...dataSource(record.id), staleTime: 0 });
  if (full.isLoadingError)
    return (
      <Dialog title={`Edit ${record.name}`} onClose={onClose}>
        <ProblemView error={full.error} onRetry={() => void full.refetch()} />
      </Dialog>
    );
  return full.data && <EditForm record={full.data} onClose={onClose} />;
}

function EditForm({ record, onClose }: Props) {
  const kinds = useQuery(engines);
  const kind = kinds.data?.engines.find((each) => each.engine === record.engine);
  const update = useChange(updateDataSource, { headers: () => ifUnchanged(form.version) });
  const initial: Values = {
    name: record.name,
    description: record.description ?? '',
    isConnectionChanged: record.needsConnection,
    connection: record.connection ?? {},
  };
  const form = useForm({
    schema: UpdateDataSourceBody,
    version: record.version,
    initial,
    toBody: ({ name, description, isConnectionChanged, connection }) => ({
      name,
      description: description === '' ? null : description,
      ...(isConnectionChanged && { connection }),
    }),
    check: ({ isConnectionChanged, connection }) =>
      Object.fromEntries(
        isConnectionChanged
          ? Object.entries(missingFields(kind?.settingsSchema, connection)).map(([name, message]) => [
              `connection/${name}`,
              message,
            ])
          : [],
      ),
    send: async (body) => {
      await update.mutateAsync({ params: { id: record.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title={`Edit ${record.name}`} form={form} act="Save" onClose={onClose}>
      <TextField form={form} name="name" label="Name" data-autofocus />
      <TextAreaField form={form} name="description" label="Description" />
      <Checkbox
        label="Change the connection"
        description="You enter its secrets again, so that they are not sent to a new address."
        checked={form.values.isConnectionChanged}
        onChange={(event) => form.set('isConnectionChanged', event.currentTarget.checked)}
      />
      {form.values.isConnectionChanged && kind && (
        <ConnectionForm
          schema={kind.settingsSchema}
          secretFields={kind.secretFields}
          values={form.values.connection}
          onChange={(connection) => form.set('connection', connection)}
          errors={form.errorsWithin('connection')}
        />
      )}
    </FormDialog>
  );
}
