import { type Query, type QueryVersion, RestoreQueryVersionBody, restoreQueryVersion } from '@svc/contract';
import { useForm } from '../../../lib/form.ts';
import { paths } from '../../../lib/paths.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../../ui/form/fields.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useGo } from '../../../ui/frame/go.ts';

type Props = { readonly record: Query; readonly shown: QueryVersion; readonly onClose: () => void };

/** Restores a version as a new version, so that no version is lost. */
export function RestoreDialog({ record, shown, onClose }: Props) {
  const go = useGo();
  const restore = useChange(restoreQueryVersion, { headers: () => ifUnchanged(record.version) });
  const form = useForm({
    schema: RestoreQueryVersionBody,
    initial: { changeReason: '' },
    toBody: ({ changeReason }) => ({ changeReason: changeReason.trim() === '' ? null : changeReason }),
    send: async (body) => {
      const restored = await restore.mutateAsync({ params: { id: shown.id }, body });
      toastDone(`Version ${shown.versionNumber} was restored as version ${restored.versionNumber}.`);
      go(paths.queryVersions(record.id), { isSaved: true });
    },
  });
  return (
    <FormDialog
      title={`Restore version ${shown.versionNumber}?`}
      form={form}
      act="Restore version"
      onClose={onClose}
    >
      <p>
        The query will say what it said then, as a new version. Its subscriptions run that from their next due
        time on.
      </p>
      <TextAreaField form={form} name="changeReason" label="Why" data-autofocus />
    </FormDialog>
  );
}
