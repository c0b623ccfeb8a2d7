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
      const { pendingVersion, versionNumber } = restored;
      toastDone(
        pendingVersion === null
          ? `Version ${shown.versionNumber} was restored as version ${versionNumber}.`
          : `Version ${pendingVersion.versionNumber}, with the text of version ${shown.versionNumber}, waits for approval.`,
      );
      go(paths.queryVersions(record.id), { isSaved: true });
    },
  });
  const waiting = record.pendingVersion?.isOwn ? record.pendingVersion : null;
  return (
    <FormDialog
      title={`Restore version ${shown.versionNumber}?`}
      form={form}
      act="Restore version"
      onClose={onClose}
    >
      <p>
        The query gets the text of version {shown.versionNumber}, as a new version. Its subscriptions run that
        from their next due time, or, where queries need approval, from the first due time after it.
      </p>
      {waiting && <p>Your version {waiting.versionNumber} waits for approval. Restoring withdraws it.</p>}
      <TextAreaField form={form} name="changeReason" label="Why" data-autofocus />
    </FormDialog>
  );
}
